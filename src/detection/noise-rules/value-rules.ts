import { maskUrl } from "../noise/urls.ts";
import type { NoiseRow, NoiseRule } from "./noise-rule.ts";

/** A changed value of a file, and the words of its name. */
export type ValueFact = { name: string; before: unknown; after: unknown };

// Names are split into words first: lastBuildDate, last_build_date and last-build-date are the same.
const timeName =
  /\b(?:generated|fetched|served|rendered|cached|crawled|synced|polled|refreshed|now|timestamp|server time|last (?:build|check|checked|run|seen|fetch|fetched|sync|synced|crawl|poll|update|updated|modified|refresh)|updated|modified|update time|build (?:date|time))\b/;
// Values that are measured, not decided by somebody; prices, limits and salaries are decided.
const measured =
  /\b(?:average|avg|mean|median|efficiency|latency|elapsed|took|uptime|time to|response time|load time|query time|processing time|views?|likes?|followers?|following|stars?|stargazers?|watchers?|forks?|downloads?|installs?|plays?|clicks?|hits|shares?|visits?|visitors?|online|viewers?|listeners?|subscribers?|upvotes?|downvotes?|votes?|reactions?|favou?rites?|impressions?|karma|popularity|age seconds|ttl)\b/;
const decided = /\b(?:price|cost|amount|salary|fee|tax|score|severity|limit|quota|minimum|maximum|min|max)\b/;

const both = ({ before, after }: ValueFact, test: (value: unknown) => boolean) => test(before) && test(after);
const areTexts = (fact: ValueFact): fact is ValueFact & { before: string; after: string } =>
  both(fact, (value) => typeof value === "string");
const isAddress = (value: unknown) => typeof value === "string" && /^(?:https?:)?\/\/|^\/\w/i.test(value);

export const valueRules: readonly NoiseRule<ValueFact>[] = [
  {
    id: "time.value",
    claim: "A moment whose name says that it is when the file was made",
    where: "files",
    test: (fact) => timeName.test(fact.name) && both(fact, isMoment),
  },
  {
    id: "counter.value",
    claim: "A number that is measured, not decided; a change from or to zero is a change of state",
    where: "files",
    test: (fact) =>
      measured.test(fact.name) &&
      !decided.test(fact.name) &&
      both(fact, isMeasure) &&
      isZero(fact.before) === isZero(fact.after),
  },
  {
    id: "asset-version.value",
    claim: "A signed or versioned address of one thing",
    where: "files",
    test: (fact) => areTexts(fact) && both(fact, isAddress) && maskUrl(fact.before) === maskUrl(fact.after),
  },
];

export const fileRows: readonly NoiseRow[] = [
  {
    id: "order.values",
    claim: "The same values in another order, where their order says nothing",
    where: "files",
  },
  {
    id: "time.feed",
    claim: "When a feed was made, and the oldest entries that made way for as many new ones",
    where: "files",
  },
  {
    id: "hidden.xml-comment",
    claim: "A comment in XML",
    where: "files",
  },
  {
    id: "time.file-stamp",
    claim: "A line that says when the file was made, with a time of day",
    where: "files",
  },
  {
    id: "markup.file-layout",
    claim: "Another layout or encoding of the same contents",
    where: "files",
  },
];

/** Whether a value is a date with a time of day, or a recent Unix time in s or ms. A date alone may be a deadline. */
function isMoment(value: unknown): boolean {
  if (typeof value === "number") return (value > 1e9 && value < 4e9) || (value > 1e12 && value < 4e12);
  if (typeof value !== "string" || value.length > 40) return false;
  return /\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d|^\d{10}(?:\d{3})?$/.test(value);
}

function isZero(value: unknown): boolean {
  return value === 0 || value === "0";
}

function isMeasure(value: unknown): boolean {
  return (
    value === null ||
    typeof value === "number" ||
    (typeof value === "string" && /^[\d.,]+ ?[kKmM%s]{0,2}$/.test(value))
  );
}
