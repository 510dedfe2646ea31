import type { AlertIf } from "#contract/alert-if.ts";
import type { Lookup } from "#contract/job.ts";
import type { Follow } from "#detection/followed-values/followed-values.ts";
import type { TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import type { Severity } from "#detection/verdict/verdict.ts";

/**
 * What a user should get from a check. alerted: an alert. suppressed: a change
 * that the job's conditions leave without an alert. digestOnly: an entry in the feed and the daily digest, no alert.
 * changed: either of them. pending: pending at first, and alerted once the next check has seen it again. noise: listed as
 * noise. same: nothing to alert and nothing to list. notLost: alerted, in the digest or listed, but not lost.
 */
type Outcome =
  | "suppressed"
  | "alerted"
  | "pending"
  | "digestOnly"
  | "changed"
  | "noise"
  | "same"
  | "notLost"
  | "failed";
export type Expected = {
  is: Outcome;
  /** The minimum severity. */
  severity?: Severity;
  /** What the summary or the changes must contain. */
  words?: string[];
  /** What the summary itself must contain: it is all that some channels show. */
  says?: string[];
  /** A failure that is alerted. */
  isPushed?: true;
};

/** A response of the target; a string is a page. In text, `%…%` is filled anew for each request: see fill.ts. */
export type Answer = {
  body?: string | Uint8Array;
  /** Content type; "" sends none. */
  type?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Path of the same site to which the response redirects; the body is served there. */
  location?: string;
  pack?: "gzip" | "br" | "zstd" | "deflate";
  /** The connection is closed before the body is complete. */
  cut?: "length" | "chunked";
};

export type Scenario = {
  class: string;
  name: string;
  /** The watched path, if it matters. */
  path?: string;
  /** Settings of the job. */
  job?: {
    selector?: string;
    ignore?: string[];
    lookup?: Lookup;
    steps?: TextStep[];
    compareAs?: "source";
    alertIf?: AlertIf;
    values?: Follow[];
  };
  /** The responses, one per check. */
  serves: (string | Answer)[];
  /** One expectation for each check after the first; the last one applies to all further checks. */
  expect: Expected[];
  /** Responses of other paths of the site, one per check; the last one applies to all further checks. */
  files?: Record<string, Answer[]>;
  /** Set if the scenario needs a real server and a real browser. */
  needs?: "engine";
};

const expected =
  (is: Outcome) =>
  (words: string[] = [], severity?: Severity): Expected => ({ is, words, ...(severity && { severity }) });

/** `alerted(["Sold out"], "important")`: words that must be found, and the minimum severity. */
export const alerted = expected("alerted");
export const pending = expected("pending");
export const changed = expected("changed")();
export const digestOnly = expected("digestOnly")();
export const noise = expected("noise")();
export const same = expected("same")();
export const notLost = expected("notLost")();
export const failed = expected("failed");
export const suppressed = expected("suppressed");
export const critical = expected("alerted")([], "critical");
export const important = expected("alerted")([], "important");

type More = Pick<Scenario, "path" | "job" | "files" | "needs">;
type Row = [name: string, ...shown: string[]];
type Wrap = (piece: string) => string | Answer;

/** One scenario per row: `wrap` puts each piece in turn into a page, and every step expects the same verdict. */
export function rows(
  group: string,
  wrap: Wrap,
  expect: Expected | Expected[],
  table: Row[],
  more: More = {},
) {
  return table.map(
    ([name, ...shown]): Scenario => ({
      class: group,
      name,
      serves: shown.map(wrap),
      expect: [expect].flat(),
      ...more,
    }),
  );
}

/** Rows of text that must be alerted; each step must name the added words or, if there are none, the removed ones. */
export function lines(group: string, wrap: Wrap, table: Row[], more: More = {}): Scenario[] {
  return rows(group, wrap, alerted(), table, more).map((scenario, at) => {
    const shown = table[at]?.slice(1) ?? [];
    const expect = shown.slice(1).map((text, step) => alerted(newWords(shown[step] ?? "", text)));
    return { ...scenario, expect };
  });
}

function newWords(before: string, after: string): string[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const added = now.filter((word) => !old.includes(word));
  return (added.length > 0 ? added : old.filter((word) => !now.includes(word))).slice(0, 3);
}

const wordsOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .split(/[\s"{}[\]]+/)
    .map((word) => word.replace(/^[:,]+|[:,]+$/g, ""))
    .filter(Boolean);

/** A, B, A, B, … with `times` changes. */
export function flip<T>(times: number, first: T, second: T): T[] {
  return Array.from({ length: times + 1 }, (_, index) => (index % 2 === 0 ? first : second));
}

/** A scenario whose steps have little in common. */
export const one = (
  group: string,
  name: string,
  serves: Scenario["serves"],
  ...expect: Expected[]
): Scenario => ({ class: group, name, serves, expect });

/** A page with little text, as servers write them. */
export const plain = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
