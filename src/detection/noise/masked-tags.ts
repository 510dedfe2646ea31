import type { Hunk, Ignored } from "../verdict.ts";
import { maskTokens } from "./tokens.ts";

const version = /([?&](?:v|ver|version|rev|hash|build|cb|ts?|_)=)[^"&\s]*/g;
// No tag that a person would want to read is longer.
const LONGEST = 2000;
const SHOWN = 300;

/** Tags that are the same but for a token or an asset's version; at most `most` of them. */
export function maskedTags(hunks: Hunk[], most: number): Ignored[] {
  const found: Ignored[] = [];
  for (const { removed, added } of hunks) {
    if (removed.length !== added.length) continue;
    for (let i = 0; i < removed.length && found.length < most; i++) {
      const before = removed[i]?.trim() ?? "";
      const after = added[i]?.trim() ?? "";
      if (!before.startsWith("<") || Math.max(before.length, after.length) > LONGEST) continue;
      const why = reasonOf(before, after);
      if (why) found.push({ place: "", before: before.slice(0, SHOWN), after: after.slice(0, SHOWN), why });
    }
  }
  return found;
}

function reasonOf(before: string, after: string): Ignored["why"] | null {
  const [old, now] = [before, after].map((line) => line.replace(version, "$1⟨version⟩"));
  if (old === undefined || now === undefined) return null;
  if (old === now) return "asset-version";
  return maskTokens(old) === maskTokens(now) ? "token" : null;
}
