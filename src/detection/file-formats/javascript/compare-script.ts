import { diffLines } from "../../line-and-word-diff/diff-lines.ts";
import { itemsIn } from "../../line-and-word-diff/hunks.ts";
import type { ContentDifferences, Difference } from "../content-difference.ts";
import { normalizeScript, type Statement } from "./normalize-script.ts";

/** Compares JavaScript by what it does, not by layout, comments or minified names. Undefined if it can't be parsed. */
export function compareScript(before: string, after: string): ContentDifferences | undefined {
  const a = normalizeScript(before);
  const b = normalizeScript(after);
  if (!a || !b) return undefined;
  const found: Difference[] = [];
  let lost = 0;
  for (const hunk of diffLines(keysOf(a), keysOf(b))) {
    const [removed, added] = itemsIn(hunk, a, b);
    lost += Math.max(removed.length, added.length);
    const place = `after ${joinStatements(a.slice(Math.max(0, hunk.oldStart - 1), hunk.oldStart))?.slice(0, 60) ?? "the start"}`;
    found.push({ place, before: joinStatements(removed), after: joinStatements(added), noise: null });
  }
  const standing = Math.max(0, 1 - lost / Math.max(a.length, b.length, 1));
  return { found, standing, noun: "statement", lines: [textsOf(a), textsOf(b)] };
}

function keysOf(statements: Statement[]): string[] {
  return statements.map((statement) => statement.key);
}

function textsOf(statements: Statement[]): string[] {
  return statements.map((statement) => statement.text.replace(/\s+/g, " "));
}

function joinStatements(statements: Statement[]): string | null {
  if (statements.length === 0) return null;
  return textsOf(statements).join(" ");
}
