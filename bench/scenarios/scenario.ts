import type { Lookup } from "#contract/job.ts";
import type { Severity } from "#detection/verdict.ts";

/**
 * What a user should get of a check. told: pushed. folded: in the feed and the digest. changed: either of them.
 * later: folded at first, and pushed once the next check has seen it again.
 * noise: listed as noise. same: quiet, with nothing to list. seen: told, folded or listed, and not lost.
 */
type Outcome = "told" | "later" | "folded" | "changed" | "noise" | "same" | "seen" | "failed";
export type Expected = {
  is: Outcome;
  /** At least so severe. */
  severity?: Severity;
  /** What the summary or the changes must hold. */
  words?: string[];
  /** What the summary alone must hold: it is all that some channels show. */
  says?: string[];
  /** A failure that the user is told of. */
  isPushed?: true;
};

/** What the target answers; a string is a page. In text, `%…%` is filled anew for each request: see fill.ts. */
export type Answer = {
  body?: string | Uint8Array;
  /** Content type; "" sends none. */
  type?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Path of the same site that it sends its visitors to; the body is found there. */
  location?: string;
  pack?: "gzip" | "br" | "zstd" | "deflate";
  /** The connection ends before the body does. */
  cut?: "length" | "chunked";
};

export type Scenario = {
  class: string;
  name: string;
  /** The watched path, where it matters. */
  path?: string;
  /** What the user asks of the job. */
  job?: { selector?: string; ignore?: string[]; lookup?: Lookup };
  /** The first stands at the first check, the others at one check each. */
  serves: (string | Answer)[];
  /** Of each check after the first; the last stands for the rest. */
  expect: Expected[];
  /** Other paths of the site by check; the last stands for the rest. */
  files?: Record<string, Answer[]>;
  /** What only a real server and a real browser can show. */
  needs?: "engine";
};

const expected =
  (is: Outcome) =>
  (words: string[] = [], severity?: Severity): Expected => ({ is, words, ...(severity && { severity }) });

/** `told(["Sold out"], "important")`: words that must be found, and a severity that must be reached. */
export const told = expected("told");
export const later = expected("later");
export const changed = expected("changed")();
export const folded = expected("folded")();
export const noise = expected("noise")();
export const same = expected("same")();
export const seen = expected("seen")();
export const failed = expected("failed");
export const critical = expected("told")([], "critical");
export const important = expected("told")([], "important");

type More = Pick<Scenario, "path" | "job" | "files" | "needs">;
type Row = [name: string, ...shown: string[]];
type Wrap = (piece: string) => string | Answer;

/** One scenario a row: the page around each piece in turn, and the same verdict expected of every step. */
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

/** Rows of text that must be told, each step in the words that came, or where none came in those that went. */
export function lines(group: string, wrap: Wrap, table: Row[], more: More = {}): Scenario[] {
  return rows(group, wrap, told(), table, more).map((scenario, at) => {
    const shown = table[at]?.slice(1) ?? [];
    const expect = shown.slice(1).map((text, step) => told(newWords(shown[step] ?? "", text)));
    return { ...scenario, expect };
  });
}

function newWords(before: string, after: string): string[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const came = now.filter((word) => !old.includes(word));
  return (came.length > 0 ? came : old.filter((word) => !now.includes(word))).slice(0, 3);
}

const wordsOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .split(/[\s"{}[\]]+/)
    .map((word) => word.replace(/^[:,]+|[:,]+$/g, ""))
    .filter(Boolean);

/** A, B, A, B, … with so many changes. */
export function flip<T>(times: number, one: T, other: T): T[] {
  return Array.from({ length: times + 1 }, (_, at) => (at % 2 === 0 ? one : other));
}

/** A scenario whose steps have little in common. */
export const one = (
  group: string,
  name: string,
  serves: Scenario["serves"],
  ...expect: Expected[]
): Scenario => ({ class: group, name, serves, expect });

/** A page that says next to nothing, as servers write them. */
export const plain = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
