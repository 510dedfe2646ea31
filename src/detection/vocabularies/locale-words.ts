// What Unicode's locale data (CLDR) knows of every language, so that no list of ours has to: months, days, units of
// time, countries, languages. Each is read when it is first needed, because that takes some milliseconds.

const locales =
  "en en-GB ar bn cs da de el es et fa fi fr he hi hu id it ja ko nb nl pl pt ro ru sl sv th tr uk vi zh zh-Hant".split(
    " ",
  );
const timeZone = "UTC";
// 2 March 2026 is a Monday.
const MONDAY = 2;
// One amount for each plural form.
const amounts = [1, 2, 5, 11];
const units = ["second", "minute", "hour", "day", "week", "month", "year"] as const;
const isWord = (text: string) => /^[\p{L}\p{M}]{3,}$/u.test(text);

/** Computes something when it is first asked for. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Months by name, long and short, counted from 0. */
export const monthsByName = lazy(() => {
  const months = new Map<string, number>();
  for (const locale of locales) {
    for (const month of ["long", "short"] as const) {
      // In many languages the name has another form in a date.
      for (const day of [undefined, "numeric"] as const) {
        const format = new Intl.DateTimeFormat(locale, { month, day, timeZone, calendar: "gregory" });
        for (let at = 0; at < 12; at++) {
          const name = partOf(format.formatToParts(Date.UTC(2026, at, 5)), "month");
          if (isWord(name) && !months.has(name)) months.set(name, at);
        }
      }
    }
  }
  return months;
});

/** Days of the week by name. */
export const weekdayNames = lazy(() => {
  const names = new Set<string>();
  for (const locale of locales) {
    const format = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone });
    for (let day = MONDAY; day < MONDAY + 7; day++)
      names.add(partOf(format.formatToParts(Date.UTC(2026, 2, day)), "weekday"));
  }
  return names;
});

function partOf(parts: Intl.DateTimeFormatPart[], type: string): string {
  return normalize(parts.find((part) => part.type === type)?.value ?? "");
}

/** What stands around an amount of time ago: "vor", "minutes", "ago". `joined`: unit and "ago" in one word, "分前". */
export const agoWords = lazy(() => {
  const set = () => new Set<string>();
  const words = { before: set(), units: set(), years: set(), after: set(), joined: set() };
  for (const locale of locales) {
    for (const style of ["long", "short", "narrow"] as const) {
      const format = new Intl.RelativeTimeFormat(locale, { style });
      for (const unit of units) {
        for (const amount of amounts) {
          const parts = format.formatToParts(-amount, unit);
          const at = parts.findIndex(({ type }) => type === "integer");
          const before = normalize(parts[at - 1]?.value ?? "");
          const [first = "", ...others] = normalize(parts[at + 1]?.value ?? "").split(" ");
          const name = first.replace(/\.$/, "");
          if (at < 0 || name === "" || /[^\p{L}\p{M} ]/u.test(before)) continue;
          // "For 5 days" says how long, "for 5 dager siden" how long ago.
          if (others.length > 0) words.after.add(others.join(" "));
          else if (before !== "") words.before.add(before);
          (others.length > 0 || before !== "" ? words.units : words.joined).add(name);
          if (unit === "year") words.years.add(name);
        }
      }
    }
  }
  return words;
});

/** Today and yesterday. */
export const nearDays = lazy(() => {
  const formats = locales.map((locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  return new Set(formats.flatMap((format) => [0, -1].map((day) => normalize(format.format(day, "day")))));
});

/** Countries, regions of the world and languages, each in all languages. */
export const placesAndLanguages = lazy(() => {
  const names = new Set<string>();
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const english = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const regions = [...pairs, "419", "150", "142", "002"].filter((code) => english.of(code) !== undefined);
  for (const locale of locales) {
    const region = new Intl.DisplayNames(locale, { type: "region" });
    const language = new Intl.DisplayNames(locale, { type: "language" });
    for (const code of regions) names.add(normalize(region.of(code) ?? ""));
    for (const code of locales) names.add(normalize(language.of(code) ?? ""));
  }
  return names;
});

function normalize(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, "").replace(/\s+/g, " ");
}

/** Words as the alternatives of a regular expression, the longest first. */
export function alternatives(words: Iterable<string>): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("’", "['’]"))
    .join("|");
}
