import { memoizeByObject } from "../memoize.ts";
import { bySeverity } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { findWeakenedProtections } from "../status-and-headers/weakened-protections.ts";
import type { Finding } from "../verdict/verdict.ts";
import { findAddresses } from "./addresses.ts";
import type { Clue } from "./clue.ts";
import { findElement, hostOf } from "./elements.ts";
import { findComment, findLeaks } from "./leaks.ts";
import { findSecrets } from "./secrets.ts";

const MAX_PER_KIND = 50;

type Source = Pick<Snapshot, "html" | "kind" | "finalUrl" | "headers" | "cookies">;

/** Finds what a security analyst would look for in the new parts of `after`, most severe first. */
export function findFindings(before: Source, after: Source): Finding[] {
  const found = new Map<string, Finding>();
  const counts = new Map<string, number>();
  const add = (clue: Clue, where: string): void => {
    const name = `${clue.kind} ${clue.key}`;
    const count = counts.get(clue.kind) ?? 0;
    if (found.has(name) || count >= MAX_PER_KIND) return;
    counts.set(clue.kind, count + 1);
    found.set(name, { kind: clue.kind, severity: clue.severity, value: clue.value, where });
  };
  for (const clue of findWeakenedProtections(before, after)) {
    add(clue, clue.kind === "weaker-cookie" ? "cookies" : "headers");
  }
  if (before.html !== after.html) {
    const old = pieces(before);
    const known = new Set(old.map((piece) => piece.text));
    const fresh = pieces(after).filter((piece) => !known.has(piece.text));
    const clues = cluesIn(fresh, after);
    const seen = new Set(
      clues.length > 0 ? cluesIn(old, before).map((clue) => `${clue.kind} ${clue.key}`) : [],
    );
    const describeLine = createLineFinder(fresh);
    for (const clue of clues) {
      if (!seen.has(`${clue.kind} ${clue.key}`)) add(clue, describeLine(clue.at));
    }
  }
  return [...found.values()].sort(bySeverity);
}

/** Finds clues; their positions refer to the joined text of the pieces. */
function cluesIn(parts: Piece[], { finalUrl }: Source): Clue[] {
  const text = parts.map((piece) => piece.text).join("");
  const clues = [
    ...findAddresses(text, hostOf(finalUrl, finalUrl)),
    ...findSecrets(text),
    ...findLeaks(text),
  ];
  let at = 0;
  for (const piece of parts) {
    clues.push(
      ...(piece.text.startsWith("<!--")
        ? findComment(piece.text.slice(4).replace(/-->$/, ""), at)
        : findElement(piece.text, finalUrl, at)),
    );
    at += piece.text.length;
  }
  return clues;
}

/** Returns a function that finds the line of a position in the joined text of the pieces. */
function createLineFinder(parts: Piece[]): (at: number) => string {
  let end = 0;
  const ends = parts.map((piece) => (end += piece.text.length));
  return (at) => {
    let low = 0;
    let high = parts.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    const piece = parts[low];
    return piece ? `${piece.script ? "script, " : ""}line ${piece.line}` : "";
  };
}

type Piece = { text: string; line: number; script: boolean };

const pieces = memoizeByObject(({ html }: Source) => splitIntoPieces(html));

/** Splits text at lines and tags, so that pieces on both sides are recognized as not new. Comments stay whole. */
function splitIntoPieces(text: string): Piece[] {
  const found: Piece[] = [];
  let line = 1;
  let script = false;
  let start = 0;
  const end = text.length;
  const next = (marker: string, from: number) => {
    const at = text.indexOf(marker, from);
    return at < 0 ? end : at;
  };
  let tag = next("<", 1);
  let lineEnd = next("\n", 0);
  while (start < end) {
    let stop: number;
    if (text.startsWith("<!--", start)) {
      const close = text.indexOf("-->", start + 4);
      stop = close < 0 ? end : close + 3;
    } else {
      if (tag <= start) tag = next("<", start + 1);
      if (lineEnd < start) lineEnd = next("\n", start);
      stop = Math.min(tag, lineEnd + 1, end);
    }
    const piece = text.slice(start, stop);
    if (/^<\/?script\b/i.test(piece)) script = piece[1] !== "/";
    if (piece.trim() !== "") found.push({ text: piece, line, script });
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) line++;
    start = stop;
  }
  return found;
}
