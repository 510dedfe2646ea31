import { isOutsideContent } from "../boilerplate/is-boilerplate.ts";
import { maskExceptContacts } from "../hacked-pages/contacts.ts";
import type { Block } from "../html-parsing/page.ts";
import { memoizeByText } from "../memoize.ts";
import { maskLabeledCounters } from "../noise/counters.ts";
import { isQuote, maskQuote } from "../noise/quotes.ts";
import { clock, date, replaceAgo } from "../noise/times.ts";
import { maskTokens } from "../noise/tokens.ts";
import { maskExceptVersions } from "../noise/versions.ts";
import type { NoiseReason } from "../verdict/verdict.ts";
import { decidedBy, isActive, type MaskRule, type NoiseRow, onRulesSwitched } from "./noise-rule.ts";

const copyright = /((?:©|\(c\)|copyright)[^\d]{0,40})(?:(?:19|20)\d\d\s*[-–—/]\s*)?(?:19|20)\d\d/gi;
const phone = /\+\d|\b(?:tel|phone|fax|call|hotline|fon|tél)\b|\d[ )/-]\d{2,}[ /-]\d{2,}/i;
const money = /[$€£¥₹]|\b(?:EUR|USD|GBP|CHF|Kč|zł|kr)\b|%/;
const thousands = /\d{1,3}(?:[.,'\u00a0\u202f]\d{3})+/;
const MAX_LABEL_WORDS = 8;

// A timestamp isn't a telephone number: 2026-11-18T22:51:29.915Z, 18/11/2026 22:51 +0100.
const timestamp =
  /(?<![\d/-])(?:(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01])|[0-3]?\d[-/.][0-3]?\d[-/.](?:19|20)\d\d)(?!\d|[/-]\d)|(?<=:\d\d(?:\.\d{1,9})?|⟨time⟩)\s?[+-]\d\d:?\d\d(?!\s?\d)/g;
const mark = /⟨[^⟩]*⟩/g;

/** Whether numbers in a text state something: prices, telephone numbers, and those of a sentence below a thousand. */
function statesNumbers(text: string): boolean {
  if (phone.test(text.replace(timestamp, "")) || money.test(text)) return true;
  // What another rule masked is no word: which rules come first must not decide whether a text is a sentence.
  const words = text.replace(mark, " ").match(/\p{L}{2,}/gu);
  return (words?.length ?? 0) >= MAX_LABEL_WORDS && !thousands.test(text);
}

const unlessStated = (mask: (text: string) => string) => (text: string) =>
  statesNumbers(text) ? text : maskExceptVersions(text, mask);

/** Masks that apply to all text, in this order. */
export const textMasks: readonly MaskRule[] = [
  {
    id: "time.ago",
    claim: "How long ago something was, in some 30 languages, except years in a sentence",
    where: "anywhere",
    mask: (text) => replaceAgo(text, "⟨ago⟩"),
  },
  {
    id: "counter.labeled",
    claim:
      "A number next to a word for what pages count, or of people who are present, in a label of at most eight words",
    where: "anywhere",
    mask: maskLabeledCounters,
  },
];

/** Applies to all text that isn't marked as the main content: there, as in a contract, the year is a statement. */
export const copyrightMask: MaskRule = {
  id: "time.copyright",
  claim: "The year of a copyright, except in a main element",
  where: "anywhere",
  mask: (text) => text.replace(copyright, "$1⟨year⟩"),
};

// The units are written alike in most languages: 9h 16m, 2d 4h 10min, 12 min 30 s.
const countdown =
  /(?<![\p{L}\d])\d{1,3}\s?(?:d|j|h|hrs?|min|m)\s?:?\s?\d{1,2}\s?(?:h|hrs?|min|m|sec|s)(?:\s?:?\s?\d{1,2}\s?(?:min|m|sec|s))*(?!\p{L})/giu;
const maskTime = unlessStated((text) => text.replace(date(), "⟨date⟩").replace(clock, "⟨time⟩"));

/** Masks that apply to text outside the main content, after the others. */
export const boilerplateMasks: readonly MaskRule[] = [
  {
    id: "token.identifier",
    claim: "An identifier: hexadecimal, a long number, letters and digits mixed as in no language",
    where: "outside the main content",
    mask: maskTokens,
  },
  {
    id: "counter.quote",
    claim: "A market quote: a number with its rise or fall in percent, or with ▲ or ▼",
    where: "outside the main content",
    mask: (text) => (isQuote(text) ? maskQuote(text) : text),
  },
  {
    id: "time.outside",
    claim: "A date or a time of day in a short label, and what is left of a countdown in hours and minutes",
    where: "outside the main content",
    mask: (text) => maskTime(text.replace(countdown, "⟨time⟩")),
  },
  {
    id: "counter.outside",
    claim: "A number in a short label that is no version, money, contact or percentage: it counts things",
    where: "outside the main content",
    mask: unlessStated((text) => text.replace(/\d{1,3}(?:[.,'\u00a0\u202f ]\d{3})+|\d+/g, "⟨n⟩")),
  },
];

export const clockRow: NoiseRow = {
  id: "time.clock",
  claim: "One or two lines that show nothing but the time, with at most the day on which the page was sent",
  where: "anywhere",
};

const mayNeedMask = /\d|ago|now|[aA]n?\s|une?|ein|fa\b/;
// A page is read several times per comparison, and most of its lines equal those of the previous capture.
const applyTextMasks = memoizeByText((text) => applyMasks(textMasks, text));
onRulesSwitched(() => applyTextMasks.forget());

/** Masks what is always noise: relative times and counters. */
export function maskText(text: string): string {
  return mayNeedMask.test(text) ? applyTextMasks(text) : text;
}

/** Masks the year of a copyright. */
export function maskCopyright(text: string): string {
  return isActive(copyrightMask.id) && mayNeedMask.test(text) ? copyrightMask.mask(text) : text;
}

/** Masks text outside the main content, where numbers count things and identifiers are noise. */
export function maskBoilerplate(text: string): string {
  return maskExceptContacts(text, (rest) => applyMasks(boilerplateMasks, rest));
}

function applyMasks(masks: readonly MaskRule[], text: string): string {
  let masked = text;
  for (const rule of masks) if (isActive(rule.id)) masked = rule.mask(masked);
  return masked;
}

/** The kind of the mask after which two texts are equal; undefined if none makes them so. */
export function decideByMask(before: Block, after: Block): NoiseReason | undefined {
  let [old, now] = [before.text, after.text];
  const masks = [
    ...textMasks,
    ...(after.area === "main" ? [] : [copyrightMask]),
    ...(isOutsideContent(after) ? boilerplateMasks : []),
  ];
  for (const rule of masks.filter(({ id }) => isActive(id))) {
    const mask = boilerplateMasks.includes(rule)
      ? (text: string) => maskExceptContacts(text, rule.mask)
      : rule.mask;
    [old, now] = [mask(old), mask(now)];
    if (old === now) return decidedBy(rule.id);
  }
  return undefined;
}
