import { maskAround } from "./contacts.ts";
import { maskCounters } from "./counters.ts";
import { isQuote, maskQuote } from "./quotes.ts";
import { clock, date, replaceAgo } from "./times.ts";
import { maskTokens } from "./tokens.ts";

const requestId =
  /((?:trace|request|correlation|session|ray|incident|transaction|support|activity|operation|error)[\s_-]*(?:id|identifier|number|no\.?|code|reference)?\s*[:#=]\s*)(?=[\w-]*\d)[\w-]{8,}/gi;
const renderTime =
  /((?:\b(?:generated|rendered|created|loaded|served|executed|processed) (?:in|within)|\b(?:page|render(?:ing)?|load(?:ing)?|execution|query|processing|generation) time|\btook)[^.\d]{0,24})\d+(?:[.,]\d+)?\s*(?:ms|msecs?|s|secs?|seconds?|milliseconds)\b/gi;
const copyright = /((?:©|\(c\)|copyright)[^\d]{0,40})(?:(?:19|20)\d\d\s*[-–—/]\s*)?(?:19|20)\d\d/gi;

const readingTime =
  /(?<![\p{L}\d])\d+[\s-]?min(?:ute)?s?\.?\s(?:read|reading time|to read|lesezeit|lesedauer|de lecture|de lectura|di lettura|leestijd)(?!\p{L})|(?<=(?:reading time|read time|lesezeit|lesedauer|temps de lecture|tiempo de lectura|tempo di lettura|leestijd)\s?:?\s(?:ca\. |env\. )?)\d+\s?min\p{L}*|(?<=\d\d(?: uhr| h)?\s[•·|]\s)\d+\s?min\.?$/giu;

/** Text with what is never news taken out: relative times, counters, request ids, render times, copyright years. */
export function maskText(text: string): string {
  if (!/\d|ago|now|[aA]n?\s|une?|ein|fa\b/.test(text)) return text;
  if (text.length > MAX_KNOWN_LENGTH) return mask(text);
  let masked = known.get(text);
  if (masked === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    masked = mask(text);
    known.set(text, masked);
  }
  return masked;
}

// A page is read several times for one comparison, and most of its lines are those of the capture before.
const MAX_KNOWN = 20_000;
const MAX_KNOWN_LENGTH = 500;
const known = new Map<string, string>();

function mask(text: string): string {
  const masked = replaceAgo(text.replace(requestId, "$1⟨id⟩"), "⟨ago⟩");
  return maskCounters(masked)
    .replace(renderTime, "$1⟨time⟩")
    .replace(readingTime, "⟨time⟩")
    .replace(copyright, "$1⟨year⟩");
}

const countdown =
  /(?<![\p{L}\d])(?:\d+\s?[dj]\s?)?\d{1,2}\s?h\s?\d{1,2}\s?(?:m|min)(?:\s?\d{1,2}\s?s)?(?!\p{L})/giu;
const phone = /\+\d|\b(?:tel|phone|fax|call|hotline|fon|tél)\b|\d[ )/-]\d{2,}[ /-]\d{2,}/i;
const money = /[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|Kč|zł|kr)\b|%/;

/** In the frame around the content numbers count things (baskets, offers, versions) and identifiers are not news. */
export function maskFrame(text: string): string {
  return maskAround(text, maskNumbers);
}

function maskNumbers(text: string): string {
  const masked = maskTokens(text).replace(countdown, "⟨time⟩");
  if (isQuote(masked)) return maskQuote(masked);
  if (phone.test(masked) || money.test(masked)) return masked;
  // In a sentence a number is part of what is said, unless it counts thousands.
  if ((masked.match(/\p{L}{2,}/gu)?.length ?? 0) >= 8 && !/\d{1,3}(?:[.,'\u00a0\u202f]\d{3})+/.test(masked))
    return masked;
  return masked
    .replace(date, "⟨date⟩")
    .replace(clock, "⟨time⟩")
    .replace(/\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+|\d+/g, "⟨n⟩");
}

const sum = /^(?:what is )?\d{1,3}\s?[+\-−–×x*]\s?\d{1,3}\s?=\s?\??$/i;

/** Text no reader reads: encoded data, font probes, a word repeated to measure a font. */
export function isMachineText(text: string): boolean {
  // What is asked of those who may be robots is made up for each of them.
  if (sum.test(text)) return true;
  if (/mmMwWLliI0/.test(text)) return true;
  // Nobody reads a number to the tenth decimal, nor what stands beside it.
  if (text.length < 80 && /\d\.\d{10}/.test(text)) return true;
  if (text.length < 40) return false;
  const words = text.split(" ");
  if (words.length >= 10 && new Set(words).size <= 2) return true;
  if (text.length / words.length > 60 && /%[0-9A-F]{2}|[{}[\]"=;]/.test(text)) return true;
  return /^[[{].*[\]}]$/.test(text) && /"[\w.-]+"\s*:/.test(text);
}

const accept =
  /^(?:(?:i )?(?:accept|agree|allow|reject|decline|deny|refuse|confirm|save)(?: (?:all|only|my|and|&|the|to|cookies?|optional|necessary|essential|non-essential|choices|preferences|settings|close|continue|selected|selection))*|continue without (?:accepting|agreeing)|(?:customi[sz]e|manage|set|cookie|privacy|select|change|update) (?:my )?(?:cookies?|preferences|settings|choices|options|consent)|got it!?|(?:alle |nur )?(?:cookies )?(?:akzeptieren|zulassen|ablehnen|zustimmen|annehmen)|(?:alle|nur notwendige|essenzielle) cookies.*|tout (?:accepter|refuser)|(?:j['’])?accepte[rz]?(?: tout| les cookies| et fermer)*|continuer sans accepter|refuser(?: tout)?|param[eé]trer(?: les cookies)?|aceptar(?: todas?| todo| cookies)*|rechazar(?: todas?| todo)?|accetta(?: tutti| tutto)?|rifiuta(?: tutti| tutto)?|alles? (?:accepteren|weigeren)|aceitar(?: todos)?|godk[aä]nn.*|acceptera.*|akceptuj.*|luba kõik|hyväksy.*|sprejmi.*|přijmout.*|elfogad.*)$/iu;

const waiting =
  /^(?:undefined|null|nan|loading|please wait|just a moment|one moment|wird geladen|bitte warten|chargement|cargando|caricamento|laden|carregando)[\s.…!]*$|^(?:advertisement|anzeige|werbung|publicité|publicidad|pubblicità|advertentie|sponsored)$/iu;

/** Text that only holds a place until the real one arrives. */
export function isPlaceholder(text: string): boolean {
  return text.length < 40 && waiting.test(text.trim());
}

const menuControl = new RegExp(
  `^(?:${[
    "(?:open|close|toggle|show|hide|expand|collapse)(?: the)?(?: main| mobile| side)?[ -](?:menu|nav(?:igation)?|sub-?menu|side ?bar)",
    "skip to(?: the)?(?: main)? (?:content|navigation|menu|footer)|back to(?: the)? top",
    "(?:haupt)?(?:menü|navigation) (?:öffnen|schließen|anzeigen|ausblenden)|(?:direkt )?zum (?:haupt)?inhalt(?: springen| wechseln)?|nach oben",
    "(?:ouvrir|fermer|afficher|masquer) (?:le menu|la navigation)|(?:aller|passer|accéder)(?: directement)? au (?:contenu(?: principal)?|menu)|(?:retour|revenir) en haut(?: de (?:la )?page)?",
    "(?:abrir|cerrar|mostrar|ocultar)(?: el)? menú|(?:saltar|ir) al contenido(?: principal)?|volver arriba",
    "(?:apri|chiudi)(?: il)? menu|(?:vai|salta) al contenuto(?: principale)?|torna su",
    "(?:abrir|fechar)(?: o)? menu|(?:ir|saltar|pular) para o conteúdo(?: principal)?|voltar ao topo",
    "menu (?:openen|sluiten)|(?:ga|spring) naar(?: de)? (?:hoofd)?inhoud|naar boven",
    "(?:öppna|stäng) menyn?|hoppa till (?:huvud)?innehåll(?:et)?|(?:åpne|lukk) menyen?|hopp til (?:hoved)?innhold(?:et)?|(?:åbn|luk) menu(?:en)?|spring til (?:hoved)?indhold(?:et)?",
    "(?:otwórz|zamknij) menu|przejdź do (?:głównej )?treści",
  ].join("|")})(?: \\{\\d\\})?$`,
  "iu",
);

/** Whether a text is what opens, closes or skips the page's own menu. */
export function isMenuControl(text: string): boolean {
  return text.length < 50 && menuControl.test(text.trim());
}

/** Whether a text only stands between others: a slash, a dot, an arrow to the right. */
export function isSeparator(text: string): boolean {
  return /^[\s/|\\·•.…,:;›»«‹>–—-]+$/u.test(text);
}

/** Whether a short text is the button of a consent dialogue. */
export function isConsentButton(text: string): boolean {
  return text.length <= 60 && accept.test(text.trim());
}

const spam =
  /\b(?:casino|slots?|poker|betting|jackpot|viagra|cialis|pills|pharmacy|replica|payday|escorts?|porn|xxx|hookup|forex signals|essay writing|judi|togel|gacor|situs)\b|博彩|赌场|娱乐城|казино|ставки/iu;

export function isSpam(text: string): boolean {
  return spam.test(text);
}

const everySpam = new RegExp(spam.source, "giu");

/** Different words that spam is made of. */
export function spamWords(text: string): number {
  return new Set(text.toLowerCase().match(everySpam)).size;
}

const defaced =
  /\b(?:hacked|owned|pwned|defaced|h4ck3d|0wn3d)\s+by\b|\bgreetz\b|your (?:site|security|system) (?:has been|is|was) (?:hacked|low|compromised|owned)|\bwas here\b.{0,40}\bcrew\b|cyber\s+army|hackeado por|piraté par|gehackt von/iu;

export function isDefacement(text: string): boolean {
  return defaced.test(text);
}

const outage =
  /access denied|you have been blocked|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|enable javascript and cookies to continue|checking your browser|attention required|just a moment|captcha|unusual traffic|too many requests|service unavailable|bad gateway|gateway time-?out|temporarily unavailable|down for maintenance|under maintenance|internal server error|error (?:4\d\d|5\d\d)|(?:4\d\d|5\d\d) (?:error|forbidden|not found)|page (?:not found|cannot be found)|something went wrong|experiencing (?:problems|difficulties)|try again later|click the button below to continue/iu;

export function isOutage(text: string): boolean {
  return outage.test(text);
}
