import type { Snapshot } from "#contract/capture.ts";
import type { WallKind } from "#contract/wall.ts";
import type { Wall } from "./recognize-wall.ts";
import { shareKnown, shareLeft } from "./text-sketch.ts";

/** What a site may show instead of a page, although it answers as if all was well. */
export type StandIn = Exclude<WallKind, "bot-wall" | "login">;

type Seen = Pick<Snapshot, "status" | "title" | "html" | "text" | "finalUrl">;
/** The last capture of the page: how much text it had and which, and whether it was a stand-in itself. */
export type Earlier = { finalUrl: string; textLength?: number; textSketch?: number[]; standIn?: StandIn };

type Row = {
  sentence: string;
  title?: RegExp;
  words?: RegExp;
  html?: RegExp;
  /** The site redirected to one of these paths. */
  path?: RegExp;
};

const rows: Record<Exclude<StandIn, "empty">, Row> = {
  captcha: {
    sentence: "The site asks its visitors for a click or a proof before it shows the page.",
    title: /\b(robot check|are you (a )?(human|robot)|security check|human verification)\b/i,
    words:
      /\b((click|tap|press) (on )?the button (below )?to (continue|proceed|verify)|(click|tap|slide|swipe|drag|press) (and hold )?to (verify|confirm|unlock|prove)|(press|click) (&|and) hold\b|(verify|confirm) your identity to continue|(type|enter) the characters you see|klicke?n? sie auf die schaltfläche,? um fortzufahren|cliquez sur le bouton (ci-dessous )?pour (continuer|poursuivre)|haz clic en el botón (de abajo )?para (continuar|seguir)|fai clic (sul|sul seguente) pulsante per continuare)/i,
  },
  maintenance: {
    sentence: "The site says that it’s under maintenance. The next check runs as scheduled.",
    title:
      /\b(maintenance|wartung(sarbeiten)?|mantenimiento|manutenção|manutenzione|onderhoud|coming back soon|be right back)\b/i,
    words:
      /\b(under(going)? (scheduled |planned )?maintenance|scheduled maintenance|down for maintenance|(be|we'll be|will be) (right )?back (soon|shortly)|wartungsarbeiten|en maintenance|en mantenimiento|em manutenção|in manutenzione|in onderhoud)\b/i,
    path: /\/(maintenance|wartung)\b/i,
  },
  "geo-block": {
    sentence: "The site says that it isn’t available in this server’s country.",
    title:
      /\b(not available in your (country|region|location)|unavailable for legal reasons|access restricted)\b/i,
    words:
      /\b((not|isn't|is not) (currently )?available in your (country|region|location|area)|from your (country|region|location) (is|are) (not allowed|blocked|restricted)|in (deinem|ihrem) land nicht verfügbar|pas disponible dans votre (pays|région)|no (está )?disponible en (su|tu) (país|región))\b/i,
    path: /\/(geo-?block(ed)?|not-available|unavailable|restricted)\b/i,
  },
  "rate-limit": {
    sentence: "The site says that it gets too many requests from this server.",
    title: /\b(too many requests|rate limit(ed)?|slow down)\b/i,
    words:
      /\b(too many requests|rate limit (has been )?(exceeded|reached)|you have been rate limited|zu viele anfragen|trop de requêtes|demasiadas solicitudes)\b/i,
  },
  parked: {
    sentence: "The domain shows a parking page instead of the site.",
    title: /\b(domain (is )?(for sale|parked)|parked domain|domain steht zum verkauf)\b/i,
    words:
      /\b((this|the) domain (name )?(is|may be) (for sale|parked|available for purchase)|buy this domain|domain has (recently )?been registered|domain (has )?expired|diese domain (steht zum verkauf|kaufen)|related searches:?)\b/i,
    html: /sedoparking\.com|parkingcrew\.net|bodis\.com|hugedomains\.com|afternic\.com|parklogic\.com|dan\.com\/buy-domain|domainmarket\.com|cashparking|parking-lander|\/\/d38psrni17bvxu\.cloudfront\.net/i,
  },
  error: {
    sentence: "The site shows an error message where the page was.",
    title:
      /\b(error|oops|something went wrong|(service|site) (is )?(temporarily )?unavailable|problem loading|fehler|erreur|errore?|erro|fout)\b/i,
    words:
      /\b((unexpected|unknown|internal( server)?|application|technical) error|error (has )?occurred|something went wrong|(experiencing|having) (a |some )?((technical|temporary) )?(problems?|difficulties|issues|trouble)\b|problem (with|processing|executing|loading) (your|the|this) (request|page)|(service|site|page) (is )?temporarily unavailable|(unerwarteter|technischer|interner) fehler|technische störung|etwas ist schiefgelaufen|une erreur (inattendue |technique )?(est survenue|s'est produite)|problème technique|error inesperado|(ha ocurrido|se ha producido) un error|si è verificato un (errore|problema)|ocorreu um (erro|problema)|er is (een fout|iets fout|iets mis))/i,
    path: /\/(error|oops)(\b|\.)/i,
  },
  missing: {
    sentence: "The site says that the page doesn't exist, although it doesn't answer with an error.",
    title:
      /\b(404|page not found|not found|page (does not|doesn't) exist|seite nicht gefunden|page introuvable|página no encontrada|pagina non trovata|pagina niet gevonden)\b/i,
    words:
      /\b(page (you (are|were) looking for|you requested|cannot be found|could not be found|can't be found|not found)|(does not|doesn't|no longer) exists?|seite (wurde )?nicht gefunden|page introuvable|página no encontrada|pagina non trovata|pagina niet gevonden|error 404|404 error)\b/i,
    path: /\/(404|not-?found|error-?404)\b/i,
  },
};

// In characters. A stand-in has little text; a page with more text than this merely mentions one.
const standInText = 2_000;
const emptyText = 40;
const fullText = 400;
/** A page without its content has this share of its text at most, if it had this many characters. */
const frame = { share: 0.2, earlier: 1_000 };
const maxHtml = 200_000;
/** The element into which scripts of single-page applications write everything. */
const shell = /<div[^>]{0,200}\bid=["']?(root|app|__next|__nuxt|___gatsby|svelte)\b/i;

const outsideAreas = new Set(["nav", "header", "footer", "aside"]);

export const textLengthOf = (text: Snapshot["text"]): number =>
  text.reduce((sum, block) => sum + block.text.length, 0);

/**
 * What stands in for the page, if at least two signs say so. That the page has lost most of its text since the last
 * capture, or all of it was replaced, is one of them. A page that still has its text isn't one. Error statuses are
 * judged elsewhere.
 */
export function findStandIn(seen: Seen, before: Earlier | null): StandIn | null {
  if (seen.status >= 400) return null;
  const length = textLengthOf(seen.text);
  const left = shareLeft(before?.textSketch, seen.text);
  if (length > standInText) return null;
  const earlier = before?.textLength ?? 0;
  if (isFrameAlone(seen.text, earlier, before?.textSketch)) return "empty";
  if (left !== null && left > 0.5) return null;
  const isShrunk = earlier >= fullText && length < earlier * 0.4;
  const isReplaced = isShrunk || (left !== null && left < 0.1);
  const html = seen.html.slice(0, maxHtml);
  const text = seen.text
    .map((block) => block.text)
    .join("\n")
    .replaceAll("’", "'");
  const title = seen.title.replaceAll("’", "'");
  const hasMoved = before !== null && pathOf(before.finalUrl) !== pathOf(seen.finalUrl);
  for (const [kind, row] of Object.entries(rows) as [keyof typeof rows, Row][]) {
    const signs = [
      row.title?.test(title),
      row.words?.test(text),
      row.html?.test(html),
      hasMoved && row.path?.test(pathOf(seen.finalUrl)),
    ].filter(Boolean).length;
    if (signs > 0 && signs + (isReplaced ? 1 : 0) >= 2) return kind;
  }
  return isShrunk && length < emptyText && shell.test(html) ? "empty" : null;
}

/** Whether only menus, header and footer are left of a page that had much text, and nothing that is new. */
function isFrameAlone(text: Snapshot["text"], earlier: number, sketch: number[] | undefined): boolean {
  if (earlier < frame.earlier || textLengthOf(text) > earlier * frame.share) return false;
  const outside = text.filter((block) => outsideAreas.has(block.area)).length;
  return outside >= text.length * 0.75 && shareKnown(sketch, text) === 1;
}

/** Recognizes a stand-in, if the page wasn't one already when it was captured last. */
export function recognizeStandIn(seen: Seen, before: Earlier | null): Wall | null {
  if (before === null) return null;
  const kind = findStandIn(seen, before);
  if (kind === null || kind === before.standIn) return null;
  const sentence = kind === "empty" ? "The page arrived without its content." : rows[kind].sentence;
  return { kind, sentence };
}

/** The wall that an error page is, if its status and one more sign say so. */
export function recognizeErrorWall(
  seen: Seen & Pick<Snapshot, "headers">,
  hasPassword: boolean,
): Wall | null {
  const { status, headers } = seen;
  const hasHeader = (wanted: string) => headers.some(([name]) => name === wanted);
  const text = seen.text
    .map((block) => block.text)
    .join("\n")
    .slice(0, standInText);
  const says = (kind: keyof typeof rows) =>
    rows[kind].title?.test(seen.title) || rows[kind].words?.test(text);
  const wall = (kind: keyof typeof rows): Wall => ({ kind, sentence: rows[kind].sentence });
  if (status === 401 && (hasPassword || hasHeader("www-authenticate")))
    return { kind: "login", sentence: "The site asks for a sign-in." };
  if (status === 451 || (status === 403 && says("geo-block"))) return wall("geo-block");
  if (status === 429 || (status === 503 && says("rate-limit"))) return wall("rate-limit");
  if (status === 503 && (says("maintenance") || hasHeader("retry-after"))) return wall("maintenance");
  return null;
}

const pathOf = (url: string) => URL.parse(url)?.pathname ?? "";
