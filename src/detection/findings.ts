import { findAddresses } from "./findings/addresses.ts";
import type { Clue } from "./findings/clue.ts";
import { findElement, hostOf } from "./findings/elements.ts";
import { findComment, findLeaks } from "./findings/leaks.ts";
import { findSecrets } from "./findings/secrets.ts";
import { findWeaker } from "./findings/weaker.ts";
import { onceFor } from "./once-for.ts";
import type { Snapshot } from "./snapshot.ts";
import { byGravity, type Finding } from "./verdict.ts";

const MAX_PER_KIND = 50;

type Source = Pick<Snapshot, "html" | "kind" | "finalUrl" | "headers" | "cookies">;

/** What a security person would look for in the parts of `after` that `before` did not have, gravest first. */
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
  for (const clue of findWeaker(before, after)) {
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
    const placeOf = placer(fresh);
    for (const clue of clues) {
      if (!seen.has(`${clue.kind} ${clue.key}`)) add(clue, placeOf(clue.at));
    }
  }
  return [...found.values()].sort(byGravity);
}

/** Clues count their place in the pieces' joined text. */
function cluesIn(those: Piece[], { finalUrl }: Source): Clue[] {
  const text = those.map((piece) => piece.text).join("");
  const clues = [
    ...findAddresses(text, hostOf(finalUrl, finalUrl)),
    ...findSecrets(text),
    ...findLeaks(text),
  ];
  let at = 0;
  for (const piece of those) {
    clues.push(
      ...(piece.text.startsWith("<!--")
        ? findComment(piece.text.slice(4).replace(/-->$/, ""), at)
        : findElement(piece.text, finalUrl, at)),
    );
    at += piece.text.length;
  }
  return clues;
}

/** Tells the line of a place in the pieces' joined text. */
function placer(those: Piece[]): (at: number) => string {
  let end = 0;
  const ends = those.map((piece) => (end += piece.text.length));
  return (at) => {
    let low = 0;
    let high = those.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    const piece = those[low];
    return piece ? `${piece.script ? "script, " : ""}line ${piece.line}` : "";
  };
}

type Piece = { text: string; line: number; script: boolean };

const pieces = onceFor(({ html }: Source) => cut(html));

/** Cuts at lines and, for markup, at tags: pieces that both sides have are not new. Comments stay whole. */
function cut(text: string): Piece[] {
  const found: Piece[] = [];
  let line = 1;
  let script = false;
  let start = 0;
  const end = text.length;
  const next = (sign: string, from: number) => {
    const at = text.indexOf(sign, from);
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
