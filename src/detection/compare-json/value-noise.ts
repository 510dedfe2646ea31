import { maskText } from "../noise/mask-text.ts";
import { looksRandom } from "../noise/tokens.ts";
import { maskUrl } from "../noise/urls.ts";
import type { NoiseReason } from "../verdict.ts";

// Names are told apart into words first: lastBuildDate, last_build_date and last-build-date are one.
const momentary =
  /\b(?:generated|fetched|served|rendered|cached|crawled|synced|polled|refreshed|now|timestamp|server time|last (?:build|check|checked|run|seen|fetch|fetched|sync|synced|crawl|poll|update|updated|modified|refresh)|updated|modified|update time|build (?:date|time))\b/;
const passing =
  /\b(?:nonce|csrf|xsrf|session|request id|req id|trace|trace id|span id|correlation|correlation id|etag|cursor|access token|auth token|token|build id|ray id|signature|sig)\b/;
// Measures of how things go, not things somebody decided; prices, limits and rates of pay are the latter.
const measured =
  /\b(?:average|avg|mean|median|efficiency|latency|elapsed|took|uptime|time to|response time|load time|query time|processing time|views?|likes?|followers?|following|stars?|stargazers?|watchers?|forks?|downloads?|installs?|plays?|clicks?|hits|shares?|visits?|visitors?|online|viewers?|listeners?|subscribers?|upvotes?|downvotes?|votes?|reactions?|favou?rites?|impressions?|karma|popularity|age seconds|ttl)\b/;
const decided = /\b(?:price|cost|amount|salary|fee|tax|score|severity|limit|quota|minimum|maximum|min|max)\b/;

/** Why a value that changed at a name is no news, or null when it may be. */
export function valueNoise(name: string, before: unknown, after: unknown): NoiseReason | null {
  const words = wordsOf(name);
  if (momentary.test(words) && isMoment(before) && isMoment(after)) return "time";
  if (passing.test(words) && isPassing(before) && isPassing(after)) return "token";
  if (measured.test(words) && !decided.test(words) && isMeasure(before) && isMeasure(after)) {
    // None and some are states: sold out, offline, nobody there.
    return isNone(before) === isNone(after) ? "counter" : null;
  }
  return typeof before === "string" && typeof after === "string" ? textNoise(before, after) : null;
}

/** Signed or versioned addresses of the same thing, and texts that only say how long ago or how many. */
function textNoise(before: string, after: string): NoiseReason | null {
  const isAddress = /^(?:https?:)?\/\/|^\/\w/i;
  if (isAddress.test(before) && isAddress.test(after)) {
    return maskUrl(before) === maskUrl(after) ? "asset-version" : null;
  }
  return maskText(before) === maskText(after) ? "time" : null;
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z\d]+/g, " ")
    .toLowerCase();
}

/** A date with a time of day, or seconds or milliseconds since 1970 in this age. A date alone may be a deadline. */
function isMoment(value: unknown): boolean {
  if (typeof value === "number") return (value > 1e9 && value < 4e9) || (value > 1e12 && value < 4e12);
  if (typeof value !== "string" || value.length > 40) return false;
  return /\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d|^\d{10}(?:\d{3})?$/.test(value);
}

function isPassing(value: unknown): boolean {
  return typeof value === "string" && (looksRandom(value) || /^(?:W\/)?"?[\w+/=-]{16,}"?$/.test(value));
}

function isNone(value: unknown): boolean {
  return value === 0 || value === "0";
}

function isMeasure(value: unknown): boolean {
  return (
    value === null ||
    typeof value === "number" ||
    (typeof value === "string" && /^[\d.,]+ ?[kKmM%s]{0,2}$/.test(value))
  );
}
