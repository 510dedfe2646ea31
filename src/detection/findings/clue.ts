import type { Finding } from "../verdict.ts";

/** Worth telling if it is new: clues of one kind and `key` are the same thing. `at` is where in the text it stands. */
export type Clue = {
  kind: Finding["kind"];
  severity: Finding["severity"];
  value: string;
  key: string;
  at: number;
};

/** Cut so that a hostile page cannot fill a notification. */
export function shorten(value: string, length = 200): string {
  return value.length > length ? `${value.slice(0, length - 1)}…` : value;
}

/** Numbers, hashes and other random names say which build or item it is, not what it is. */
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
