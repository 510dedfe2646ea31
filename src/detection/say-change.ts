import type { Change } from "./verdict.ts";

type Piece = Pick<Change, "before" | "after" | "words" | "moved"> & {
  /** What has no words is named by its place. */
  where?: string;
  place?: string;
  why?: string;
};

// A line on a telephone's lock screen holds about this much; what was there and what is each get their part.
const PIECE = 70;
const VALUE = 40;
const CONTEXT = 30;

/** One difference in the page's own words: “Ember stove 119.00 €” added, “Fjell lamp” 59.00 € → 64.00 €. */
function sayChange({ before, after, words, moved, where, place, why }: Piece): string {
  if (before === null && after === null)
    return `${where || place || "layout"} ${moved || why === "order" ? "in another order" : "changed"}`;
  if (before === null || after === null) {
    const did = before === null ? "added" : "removed";
    return `${quote(cut(after ?? before ?? "", PIECE))} ${did}`;
  }
  if (moved) return `${quote(cut(after, PIECE))} moved`;
  const marks = words ?? [];
  const first = marks.findIndex(({ op }) => op !== "same");
  const { shared, removed, added } = wholeValues(marks, first);
  if (shared === "" || first < 0 || (removed === "" && added === "")) {
    return `${quote(cut(before, VALUE))} → ${quote(cut(after, VALUE))}`;
  }
  const context = quote(cutStart(shared, CONTEXT));
  if (removed === "") return `${quote(cut(added, VALUE))} added after ${context}`;
  if (added === "") return `${quote(cut(removed, VALUE))} removed after ${context}`;
  return `${context} ${cut(removed, VALUE)} → ${cut(added, VALUE)}`;
}

/** Several differences: the first in words, the others counted. `count` is exact where the list was cut. */
export function sayChanges(changes: Piece[], count: number, where = ""): string {
  const [first] = changes;
  const place = where === "" || where === "main" ? "" : ` in ${where}`;
  if (!first) return `${count} ${count === 1 ? "line" : "lines"} changed${place}`;
  const more = count > 1 ? ` and ${count - 1} more` : "";
  return `${sayChange(first)}${more}${place}`;
}

/** The changed words of a long line with what stands around them, for `before` or `after`. */
export function excerpt(change: Piece, side: "before" | "after", length = 200): string {
  const text = change[side] ?? "";
  if (text.length <= length) return text;
  const own = side === "before" ? "removed" : "added";
  let start = 0;
  let end = 0;
  let at = 0;
  for (const { op, text: run } of change.words ?? []) {
    if (op !== "same" && end === 0) start = at;
    if (op === own) end = at + run.length;
    if (op === "same" || op === own) at += run.length;
  }
  // Nothing of this side changed: what went or came stood where the other side is marked.
  if (end === 0) end = start;
  const around = Math.max(0, length - (end - start));
  const from = Math.max(0, Math.min(start - Math.floor(around / 2), text.length - length));
  const to = Math.min(text.length, from + length);
  return `${from > 0 ? "…" : ""}${whole(text.slice(from, to))}${to < text.length ? "…" : ""}`;
}

/** Both sides of a changed line as one, of long stretches that agree only what stands beside a change; none where nothing agrees. */
export function excerptWords(
  { before, after, words = [] }: Piece,
  length = 200,
): NonNullable<Piece["words"]> {
  if (before === null || after === null) return [];
  if (!words.some(({ op, text }) => op === "same" && text.trim() !== "")) return [];
  if (words.every(({ op }) => op === "same")) return [];
  if (before.length + after.length <= length) return words;
  const side = Math.max(20, Math.floor(length / 6));
  const shown: NonNullable<Piece["words"]> = [];
  let room = 2 * length;
  for (const [at, { op, text }] of words.entries()) {
    const isFirst = at === 0;
    const isLast = at === words.length - 1;
    let kept = text;
    if (op !== "same") kept = cut(text, length / 2);
    else if (text.length > 2 * side)
      kept = `${isFirst ? "" : whole(text.slice(0, side))}…${isLast ? "" : whole(text.slice(-side))}`;
    if (kept.length > room) return [...shown, { op: "same", text: "…" }];
    shown.push({ op, text: kept });
    room -= kept.length;
  }
  return shown;
}

const startOfValue = /(?:\p{Sc}|(?<![\d.,:'-]))[\d.,:'-]*$/u;
const restOfValue = /^(?:[.,:'-]?\d+)*\s?(?:[\p{Sc}%°]|(?:EUR|USD|GBP|CHF|kr|zł|Kč)(?!\p{L}))?/u;

/** What changed first and the words before it; of a number all its digits and its unit: 59.00 €, not 59. */
function wholeValues(marks: NonNullable<Piece["words"]>, first: number) {
  const before = first > 0 ? (marks[0]?.text ?? "") : "";
  const [removed, added] = [pieceOf(marks, first, "removed"), pieceOf(marks, first, "added")];
  if (!/^\d/.test(removed) || !/^\d/.test(added)) return { shared: before.trim(), removed, added };
  const next = marks.findIndex(({ op }, at) => at > first && op === "same");
  const rest = next < 0 ? [] : marks.slice(next);
  const tail = (other: "removed" | "added") => {
    const text = rest.map((run) => (run.op === other ? "" : run.text)).join("");
    return (restOfValue.exec(text)?.[0] ?? "").trimEnd();
  };
  const head = startOfValue.exec(before)?.[0] ?? "";
  return {
    shared: before.slice(0, before.length - head.length).trim(),
    removed: head + removed + tail("added"),
    added: head + added + tail("removed"),
  };
}

/** The first run of removed or added words, up to where the texts agree again. */
function pieceOf(marks: NonNullable<Piece["words"]>, first: number, wanted: "removed" | "added"): string {
  let text = "";
  for (const { op, text: run } of marks.slice(first)) {
    if (op === "same") break;
    if (op === wanted) text += run;
  }
  return text.trim();
}

function quote(text: string): string {
  return `“${text}”`;
}

/** Cut between words where one ends near, never inside a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = whole(text.slice(0, length - 1));
  const space = head.lastIndexOf(" ");
  return `${(space > length * 0.6 ? head.slice(0, space) : head).trimEnd()}…`;
}

function cutStart(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = whole(text.slice(1 - length));
  const space = tail.indexOf(" ");
  return `…${(space >= 0 && space < length * 0.4 ? tail.slice(space + 1) : tail).trimStart()}`;
}

/** Without the halves of characters that a cut leaves at the ends. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
