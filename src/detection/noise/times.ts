import {
  agoWords,
  alternatives,
  lazy,
  monthsByName,
  nearDays,
  weekdayNames,
} from "../vocabularies/locale-words.ts";
import { wordsFor } from "../vocabularies/words-for.ts";

const wordStart = "(?<![\\p{L}\\d])";
const wordEnd = "(?![\\p{L}\\d])";
const words = (names: Iterable<string>) =>
  new RegExp(`(?<!\\p{L})(?:${alternatives(names)})(?!\\p{L})`, "giu");

/** "5 minutes ago", "vor 8 Min.", "5 минут назад", "3分前". */
const ago = lazy(() => {
  const { before, units, after, joined } = agoWords();
  const amount = `(?:\\d+|${wordsFor("smallAmounts")})`;
  const unit = `(?:${alternatives(units)}|${wordsFor("timeUnits")})`;
  const span = `(?:(?:${wordsFor("roughly")}) )?${amount}\\s*${unit}`;
  return new RegExp(
    [
      wordsFor("agoPhrases"),
      `(?<!\\d)${amount}\\s*(?:${alternatives(joined)})`,
      `${wordStart}(?:${alternatives(before)}|${wordsFor("agoBefore")})\\s+${span}${wordEnd}\\.?`,
      `${wordStart}(?:för |for )?${span}\\.?\\s?(?:${alternatives(after)}|${wordsFor("agoAfter")})${wordEnd}`,
    ].join("|"),
    "giu",
  );
});

export const clock =
  /(?<![\d.,:])(?:[01]?\d|2[0-4])(?::[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?![\d:])(?:\s*[ap]\.?m\b\.?)?|\.[0-5]\d\s*(?:uhr|h|[ap]m)\b|[h時][0-5]\d(?!\d)分?|\s*[ap]m\b)(?:\s*(?:uhr|UTC|GMT|CES?T|[ECMP][SD]T)\b)?/gi;

export const date = lazy(() => {
  const months = `(?:${alternatives(monthsByName().keys())})(?!\\p{L})`;
  return new RegExp(
    `${wordStart}(?:(?:19|20)\\d\\d[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.](?:19|20)?\\d\\d|\\d{1,2}(?:st|nd|rd|th|\\.|er|º)?\\s+(?:de\\s+)?${months}\\.?,?(?:\\s+(?:de\\s+)?(?:19|20)\\d\\d)?|${months}\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+(?:19|20)\\d\\d)?|(?:(?:19|20)\\d\\d年)?\\d{1,2}月\\d{1,2}日)(?!\\d)`,
    "giu",
  );
});
export const weekday = lazy(() => words(weekdayNames()));
const day = lazy(() => words(nearDays()));

type TimeKind = "ago" | "day" | "clock" | "date";

/** In which form a text states a time if it states nothing else; null for a text that says more. */
export function timeKind(text: string): TimeKind | null {
  if (text.length > 50) return null;
  const found: TimeKind[] = [];
  let rest = text;
  for (const [pattern, kind] of [
    [ago(), "ago"],
    [date(), "date"],
    [clock, "clock"],
    [day(), "day"],
  ] as const)
    rest = rest.replace(pattern, () => {
      found.push(kind);
      return "";
    });
  rest = rest.replace(weekday(), "");
  const isBare = /^(?:at|um|à|a las|alle|om|kl|uhr|,|\.|·|•|\||\s|-|–|:)*$/iu.test(rest);
  return isBare && new Set(found).size === found.length ? (found[0] ?? null) : null;
}

/** Whether a time is stated in another form, as pages do when it gets older: 8 minutes ago, 20:13, 29.01.22. */
export function isTimeReworded(before: string, after: string): boolean {
  const [old, now] = [timeKind(before), timeKind(after)];
  if (old !== null && now !== null) return old !== now;
  if (isOnlyAgoMissing(before, after) || isOnlyAgoMissing(after, before)) return true;
  // If a word says what happened, only a form for an older time is proof: "Updated just now" may be an update.
  const [first, later] = [timeKind(before.replace(stamp, "")), timeKind(after.replace(stamp, ""))];
  return first !== null && later !== null && ages.indexOf(later) > ages.indexOf(first);
}

/** Whether a label is the same without its "5 minutes ago", as on a page whose script has not written it yet. */
function isOnlyAgoMissing(text: string, without: string): boolean {
  if (text.length > 80 || without === "" || !/\p{L}/u.test(without)) return false;
  const rest = replaceAgo(text, "").trim();
  return rest !== text && rest === without.trim();
}

// A timestamp next to a name or a title has few words.
const MAX_STAMP = 8;
const years = lazy(
  () => new RegExp(`(?<!\\p{L})(?:${alternatives(agoWords().years)}|yrs?)(?!\\p{L})|年`, "iu"),
);

/** Replaces each "5 minutes ago" by a mark, except years in a sentence: "80 years ago it was cast". */
export function replaceAgo(text: string, mark: string): string {
  let isSentence: boolean | undefined;
  return text.replace(ago(), (match) => {
    if (!years().test(match)) return mark;
    isSentence ??= (text.match(/\p{L}{2,}/gu)?.length ?? 0) > MAX_STAMP;
    return isSentence ? match : mark;
  });
}

const ages: TimeKind[] = ["ago", "day", "date"];
const stamp = new RegExp(`^(?:${wordsFor("stamps")})[\\s:]+`, "iu");

/** Whether a block only shows the time: a clock with at most a short label. */
export function isClock(text: string): boolean {
  // Two clocks are a range: opening hours, not the time.
  if (text.length > 60 || text.match(clock)?.length !== 1) return false;
  const rest = text.replace(clock, "").replace(date(), "").replace(weekday(), "");
  return rest.replace(/[\s()[\],.|/-]/g, "").length <= 3 && !/[\d\p{Sc}%]/u.test(rest);
}
