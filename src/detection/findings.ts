import { findAddresses } from "./findings/addresses.ts";
import type { Clue } from "./findings/clue.ts";
import { findElement, hostOf } from "./findings/elements.ts";
import { findComment, findLeaks } from "./findings/leaks.ts";
import { findSecrets } from "./findings/secrets.ts";
import { findWeaker } from "./findings/weaker.ts";
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
    const old = cut(before.html);
    const known = new Set(old.map((piece) => piece.text));
    const fresh = cut(after.html).filter((piece) => !known.has(piece.text));
    const seen = new Set(cluesIn(old, before).map((clue) => `${clue.kind} ${clue.key}`));
    const placeOf = placer(fresh);
    for (const clue of cluesIn(fresh, after)) {
      if (!seen.has(`${clue.kind} ${clue.key}`)) add(clue, placeOf(clue.at));
    }
  }
  return [...found.values()].sort(byGravity);
}

/** Clues count their place in the pieces' joined text. */
function cluesIn(pieces: Piece[], { finalUrl }: Source): Clue[] {
  const text = pieces.map((piece) => piece.text).join("");
  const clues = [
    ...findAddresses(text, hostOf(finalUrl, finalUrl)),
    ...findSecrets(text),
    ...findLeaks(text),
  ];
  let at = 0;
  for (const piece of pieces) {
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
function placer(pieces: Piece[]): (at: number) => string {
  let end = 0;
  const ends = pieces.map((piece) => (end += piece.text.length));
  return (at) => {
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    const piece = pieces[low];
    return piece ? `${piece.script ? "script, " : ""}line ${piece.line}` : "";
  };
}

type Piece = { text: string; line: number; script: boolean };

/** Cuts at lines and, for markup, at tags: pieces that both sides have are not new. Comments stay whole. */
function cut(text: string): Piece[] {
  const pieces: Piece[] = [];
  let line = 1;
  let script = false;
  let start = 0;
  const end = text.length;
  while (start < end) {
    let stop: number;
    if (text.startsWith("<!--", start)) {
      const close = text.indexOf("-->", start + 4);
      stop = close < 0 ? end : close + 3;
    } else {
      stop = start + 1;
      while (stop < end && text.charCodeAt(stop) !== 60 && text.charCodeAt(stop - 1) !== 10) stop++;
    }
    const piece = text.slice(start, stop);
    if (/^<\/?script\b/i.test(piece)) script = piece[1] !== "/";
    if (piece.trim() !== "") pieces.push({ text: piece, line, script });
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) line++;
    start = stop;
  }
  return pieces;
}
