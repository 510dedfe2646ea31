import type { Severity } from "../severity/severity.ts";
import type { Finding } from "../verdict/verdict.ts";

/** A possible finding, reported if it is new. Clues of one kind and `key` are the same thing; `at` is a text offset. */
export type Clue = {
  kind: Finding["kind"];
  severity: Severity;
  value: string;
  key: string;
  at: number;
};

/** A clue that is the same thing as others with its `key`, which is its value unless it is given. */
export function clue(
  kind: Clue["kind"],
  severity: Severity,
  value: string,
  at: number,
  key: string = value,
): Clue {
  return { kind, severity, value: shorten(value), key, at };
}

/** Shortens a value, so that a hostile page can't fill a notification. */
export function shorten(value: string, length = 200): string {
  return value.length > length ? `${value.slice(0, length - 1)}…` : value;
}

/** Masks numbers, hashes and other random names: they say which build or item it is, not what it is. */
export function withoutVersions(name: string): string {
  return name
    .replace(/[A-Za-z0-9]{8,}/g, (word) =>
      /\d/.test(word) && (/[a-z]/i.test(word) || word.length > 9) ? "#" : word,
    )
    .toLowerCase()
    .replace(/\d+/g, "#")
    .replace(/[-_.]#/g, "")
    .replace(/\/$/, "");
}
