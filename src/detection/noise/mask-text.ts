import { maskAround } from "./contacts.ts";
import { maskCounters } from "./counters.ts";
import { isQuote, maskQuote } from "./quotes.ts";
import { ago, clock, date } from "./times.ts";
import { maskTokens } from "./tokens.ts";

const requestId =
  /((?:trace|request|correlation|session|ray|incident|transaction|support|activity|operation|error)[\s_-]*(?:id|identifier|number|no\.?|code|reference)?\s*[:#=]\s*)(?=[\w-]*\d)[\w-]{8,}/gi;
const renderTime =
  /((?:\b(?:generated|rendered|created|loaded|served|executed|processed) (?:in|within)|\b(?:page|render(?:ing)?|load(?:ing)?|execution|query|processing|generation) time|\btook)[^.\d]{0,24})\d+(?:[.,]\d+)?\s*(?:ms|msecs?|s|secs?|seconds?|milliseconds)\b/gi;
const copyright = /((?:©|\(c\)|copyright)[^\d]{0,40})(?:(?:19|20)\d\d\s*[-–—/]\s*)?(?:19|20)\d\d/gi;

/** Text with what is never news taken out: relative times, counters, request ids, render times, copyright years. */
export function maskText(text: string): string {
  if (!/\d|ago|now|[aA]n?\s|une?|ein|fa\b/.test(text)) return text;
  const masked = text.replace(requestId, "$1⟨id⟩").replace(ago, "⟨ago⟩");
  return maskCounters(masked).replace(renderTime, "$1⟨time⟩").replace(copyright, "$1⟨year⟩");
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

/** Text no reader reads: encoded data, font probes, a word repeated to measure a font. */
export function isMachineText(text: string): boolean {
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

/** Whether a short text is the button of a consent dialogue. */
export function isConsentButton(text: string): boolean {
  return text.length <= 60 && accept.test(text.trim());
}

const personal =
  /^(?:(?:log|sign)[ -]?(?:in|out|up|on|off)|my .{0,20}|(?:your |view |my )?(?:account|profile|cart|basket|bag|wish ?lists?|watch ?list|favou?rites|orders?|feed|messages|notifications)|register|join(?: now)?|hello.{0,30}|hallo.{0,30}|guten (?:morgen|tag|abend).{0,30}|good (?:morning|afternoon|evening).{0,30}|bon(?:jour|soir).{0,30}|hola.{0,30}|buon(?:giorno|asera).{0,30}|ciao.{0,30}|hi,? .{0,20}|welcome.{0,30}|deliver to.*|download for .{2,20}|not using .*|skip to .{0,40}|close|menu|back|more|dismiss|search.{0,20}|recherche.{0,20}|suche.{0,20}|english|deutsch|français|español|italiano|nederlands|português|polski|svenska|dansk|suomi|norsk|čeština|magyar|română|türkçe|русский|українська|日本語|中文|简体中文|繁體中文|한국어|العربية|[a-z]{2}(?:-[a-z]{2})?|anmelden|abmelden|registrieren|mein .{0,20}|warenkorb|merkzettel|connexion|déconnexion|mon .{0,20}|panier|iniciar sesión|mi cuenta|carrito|accedi|carrello|inloggen|winkelwagen)$/iu;

const country =
  /(?:^|\s)(?:deutschland|germany|allemagne|österreich|austria|schweiz|switzerland|suisse|svizzera|france|frankreich|españa|spain|italia|italy|italie|nederland|netherlands|belgi(?:ë|que|um)|luxembourg|portugal|polska|poland|sverige|sweden|danmark|denmark|norge|norway|suomi|finland|ireland|united kingdom|great britain|united states|canada|australia|new zealand|japan|brasil|brazil|méxico|mexico|india|china|korea|türkiye|česko|slovensko|magyarország|românia|ελλάδα|україна|россия|europe|international|global)$/iu;

/** A country with at most a language or a verb before it; a headline may end in one as well. */
function isCountry(words: string): boolean {
  return (
    words.split(/\s+/).length <= 4 && (country.test(words) || /(?:^|[\s(-])(?:US|USA|UK)\)?$/.test(words))
  );
}

/** Frame items that depend on who looks: sign-in, basket, language, platform. */
export function isPersonal(text: string): boolean {
  const words = text.replace(/[\d()+]+/g, " ").trim();
  return words === "" || personal.test(words) || isCountry(words);
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
