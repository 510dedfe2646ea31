import type { LineHunk } from "../diff-lines.ts";
import { contactsIn } from "../noise/contacts.ts";
import { maskNow } from "../noise/mask-now.ts";
import {
  isConsentButton,
  isMachineText,
  isMenuControl,
  isPlaceholder,
  isSeparator,
  isSpam,
  spamWords,
} from "../noise/mask-text.ts";
import { isFrame } from "../noise/text-key.ts";
import { toldOtherwise, wentOn, withoutAgo } from "../noise/times.ts";
import { isPersonal } from "../noise/visitor.ts";
import type { Block, Page } from "../page.ts";
import type { NoiseReason } from "../verdict.ts";
import { alike, type TextChange } from "./pair-blocks.ts";

/** Says of each piece of one hunk why it is no news, where it is none. */
export function judgeText(news: TextChange[], removed: Block[], added: Block[], context: Context): void {
  const consent = new Set([...consentRun(removed), ...consentRun(added)]);
  const isPrompt = isPromptRun(removed, added);
  for (const change of news) {
    const { before, after } = change;
    const asks = (!before || consent.has(before)) && (!after || consent.has(after));
    if (isAttack(change, context)) change.noise = null;
    else change.noise = asks ? "consent" : isPrompt ? "widget" : noiseOf(change, context);
  }
  spreadVisitor(news, context);
}

/** What the judgement of one change needs to know of the whole pages. */
export type Context = {
  /** When the two pages were sent, where that is known. */
  sent: [old: number, now: number] | null;
  /** Parts of which something stands on both sides. */
  oldStanding: Set<number>;
  newStanding: Set<number>;
  spammed: boolean;
  /** Whom the old page named, and around which words. */
  contacts: () => { named: Set<string>; rests: Set<string> };
};

export function contextOf(older: Page, newer: Page, hunks: LineHunk[]): Context {
  let contacts: ReturnType<Context["contacts"]> | undefined;
  return {
    oldStanding: standingIn(
      older.blocks,
      hunks.map(({ oldStart, oldCount }) => [oldStart, oldStart + oldCount]),
    ),
    newStanding: standingIn(
      newer.blocks,
      hunks.map(({ newStart, newCount }) => [newStart, newStart + newCount]),
    ),
    sent: older.now !== null && newer.now !== null ? [older.now, newer.now] : null,
    contacts: () => (contacts ??= contactsOf(older)),
    spammed: older.blocks.some((block) => isSpam(block.text)),
  };
}

/** The parts of which something stands on both sides: all blocks but those in the hunks. */
function standingIn(blocks: Block[], hunks: [from: number, to: number][]): Set<number> {
  const roots = new Set<number>();
  let at = 0;
  for (const [from, to] of [...hunks, [blocks.length, blocks.length] as const]) {
    for (; at < from; at++) roots.add(blocks[at]?.root ?? -1);
    at = to;
  }
  return roots;
}

/** What is news wherever it stands: another's contact in an old sentence, and spam where there was none. */
function isAttack({ after }: TextChange, { spammed, contacts }: Context): boolean {
  if (!after) return false;
  if (!spammed && spamWords(after.text) >= (after.hidden === "" ? 2 : 1)) return true;
  const { named, rest } = contactsIn(after.text);
  return named.some((contact) => !contacts().named.has(contact)) && contacts().rests.has(rest);
}

function contactsOf(page: Page): ReturnType<Context["contacts"]> {
  const named = new Set<string>();
  const rests = new Set<string>();
  for (const { text } of page.blocks) {
    const found = contactsIn(text);
    if (found.named.length === 0) continue;
    for (const contact of found.named) named.add(contact);
    rests.add(found.rest);
  }
  return { named, rests };
}

function noiseOf({ before, after }: TextChange, context: Context): NoiseReason | null {
  const block = after ?? before;
  if (!block) return "markup";
  const both = (test: (text: string) => boolean) =>
    (!before || test(before.text)) && (!after || test(after.text));
  const standing = after ? context.newStanding : context.oldStanding;
  const stood = standing.has(block.root);
  const { zone } = block;
  if (zone !== "" && zone !== "list" && !isEditInside(before, after, stood))
    return zone === "dialog" ? "widget" : zone;
  if (before && after && tellsTime(before.text, after.text, context.sent)) return "time";
  if (both(isMachineText)) return "token";
  if (both(isPlaceholder) || both(isMenuControl)) return "widget";
  if (before && after && before.links > 0.8 && after.links > 0.8 && sameWords(before.text, after.text))
    return "order";
  // A part that is not shown and comes or goes whole is a widget's; one that changes inside is content folded away.
  if (before && after && before.hidden !== after.hidden && isFrame(block.area)) return "hidden";
  if (block.hidden === "inert" && block.links === 0 && !stood && !(before && after)) return "hidden";
  if (!isFrame(block.area)) return null;
  if (both(isSeparator)) return "markup";
  if (block.search) return "widget";
  if (both(isPersonal)) return "visitor";
  return null;
}

/** Whether both say when they were sent, or one moment in two ways, or only one says how long ago. */
function tellsTime(before: string, after: string, sent: Context["sent"]): boolean {
  if (toldOtherwise(before, after)) return true;
  if (before !== after && withoutAgo(before) === withoutAgo(after)) return true;
  if (!sent) return false;
  if (wentOn(before, after, sent)) return true;
  const masked = maskNow(after, sent[1]);
  return masked !== after && masked === maskNow(before, sent[0]);
}

/** Banners and dialogues come and go whole; what is edited, added or removed within one that stays is judged. */
function isEditInside(before: Block | null, after: Block | null, stood: boolean): boolean {
  const block = (after ?? before) as Block;
  const words = countWords(block.text);
  if (block.zone === "rotation" || block.zone === "advertisement") {
    if (words < 6 || block.area !== "main" || !before || !after) return false;
    return alike(before.text, after.text) > 0.5;
  }
  if (before && after && alike(before.text, after.text) > 0.5) return true;
  return stood && words >= 3;
}

function countWords(text: string): number {
  return text.match(/\p{L}{2,}/gu)?.length ?? 0;
}

// Greetings and hints beside a basket are short; a longer text in the same place says something of its own.
const MAX_PERSONAL = 60;

/** What stands between a basket and a sign-in in the frame, and came or went with them, depends on the visitor too. */
function spreadVisitor(changes: TextChange[], context: Context): void {
  if (!changes.some((change) => change.noise === "visitor")) return;
  for (const change of changes) {
    const block = change.after ?? change.before;
    if (change.noise !== null || !block || block.text.length > MAX_PERSONAL) continue;
    if (isFrame(block.area) && !isAttack(change, context)) change.noise = "visitor";
  }
}

const aboutConsent = /cookie|privacy|consent|datenschutz|confidentialit|privacidad|küpsis|piškot|evästee/iu;

/** The blocks of a dialogue that asks for consent and whose markup does not say so: from its words to its buttons. */
function consentRun(blocks: Block[]): Block[] {
  if (blocks.length < 2 || blocks.length > 80 || blocks.some((block) => block.area === "main")) return [];
  const asks = blocks.map(({ text }) => isConsentButton(text));
  const speaks = blocks.map(({ text }) => aboutConsent.test(text));
  if (!asks.includes(true) || !speaks.includes(true)) return [];
  const first = Math.min(asks.indexOf(true), speaks.indexOf(true));
  const last = Math.max(asks.lastIndexOf(true), speaks.lastIndexOf(true));
  // Its heading stands before the first word of cookies.
  return blocks.slice(Math.max(0, first - 1), last + 1);
}

const asksOpinion =
  /^(?:take (?:the |our |a |this )?(?:short |quick |brief )?survey|start (?:the )?survey|give (?:us )?(?:your )?feedback|(?:zur|an der) umfrage(?: teilnehmen)?|umfrage starten|(?:répondre|participer) à l['’]enquête|hacer la encuesta|partecipa al sondaggio)\W*$/iu;
const aboutOpinion =
  /survey|feedback|opinion|have a (?:moment|minute)|tell us|how (?:are )?we|how we['’]re doing|no,? thanks|not now|later|umfrage|meinung|enquête|avis|encuesta|sondaggio/iu;
const subscribes =
  /^(?:subscribe|sign me up|(?:jetzt )?(?:abonnieren|anmelden)|s['’]abonner|s['’]inscrire|suscrib(?:irse|irme|ete)|iscriviti|inschrijven|abonneren|prenumerera|zapisz się)(?: now| today| here| jetzt)?\W*$/iu;
const aboutMail =
  /newsletter|e-?mail|courriel|correo|subscri|abonn|inscri|suscri|iscri|inbox|latest (?:news|updates)|personal data|privacy|consent|i agree/iu;
const MOST_IN_PROMPT = 10;

/** Whether all that came or went in one place asks for an opinion or, in the frame, offers a newsletter. */
function isPromptRun(removed: Block[], added: Block[]): boolean {
  const [gone, come] = [removed, added].map((run) => run.filter(({ text }) => !isPlaceholder(text)));
  const blocks = gone?.length === 0 ? (come ?? []) : come?.length === 0 ? (gone ?? []) : [];
  if (blocks.length < 2 || blocks.length > MOST_IN_PROMPT) return false;
  const isAll = (button: RegExp, about: RegExp) =>
    blocks.some(({ text }) => button.test(text)) && blocks.every(({ text }) => about.test(text));
  const isFramed = blocks.every(({ area, zone }) => zone !== "" || isFrame(area));
  return isAll(asksOpinion, aboutOpinion) || (isFramed && isAll(subscribes, aboutMail));
}

/** A list of links in another order; in prose the order of words is meaning. */
function sameWords(before: string, after: string): boolean {
  const sorted = (text: string) => text.split(/\s+/).filter(Boolean).sort().join(" ");
  return sorted(before) === sorted(after);
}
