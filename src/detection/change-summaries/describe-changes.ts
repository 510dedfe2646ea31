import type { Change } from "../verdict/verdict.ts";
import { monthsByName } from "../vocabularies/locale-words.ts";
import { cut, quote, trimHalfCharacters } from "./quote.ts";
import { listInWords } from "./summarize-reasons.ts";

type Piece = Pick<Change, "before" | "after" | "words" | "moved" | "row"> & {
  /** A difference without words is named by its location. */
  where?: string;
  place?: string;
  why?: string;
};

// In characters. A line on a phone's lock screen holds about this much; the old and the new value each get a part.
const PIECE = 70;
const VALUE = 40;
const CONTEXT = 30;
// Differences: more never fit in one line.
const MAX_NAMED = 8;

/** Describes one difference in the page's own words: “Ember stove 119.00 €” added, “Fjell lamp” 59.00 € → 64.00 €. */
function sayChange({ before, after, words, moved, where, place, why }: Piece): string {
  if (before === null && after === null)
    return `${where || place || "layout"} ${moved || why === "order" ? "in another order" : "changed"}`;
  if (before === null || after === null) {
    const verb = before === null ? "added" : "removed";
    return `${quote(cut(after ?? before ?? "", PIECE))} ${verb}`;
  }
  if (moved) return `${quote(cut(after, PIECE))} moved`;
  const marks = words ?? [];
  const first = marks.findIndex(({ op }) => op !== "same");
  const { shared, removed, added } = findWholeValues(marks, first);
  if (shared === "" || first < 0 || (removed === "" && added === "")) {
    return `${quote(cut(before, VALUE))} → ${quote(cut(after, VALUE))}`;
  }
  const context = quote(cutStart(shared, CONTEXT));
  if (removed === "") return `${quote(cut(added, VALUE))} added after ${context}`;
  if (added === "") return `${quote(cut(removed, VALUE))} removed after ${context}`;
  return `${context} ${cut(removed, VALUE)} → ${cut(added, VALUE)}`;
}

const bareValues = /^“([^\p{L}”]*)” → “([^\p{L}”]*)”$/u;

const wholeValues = /^“[^”]*” → “[^”]*”$/;

/** Puts the name of the item in front of a value that replaced another; a sentence says itself what it is about. */
function nameItem(text: string, item: string | undefined): string {
  if (item === undefined || !wholeValues.test(text) || text.includes("…")) return text;
  return `${cut(item.replace(/(?<!\s)\s*[:：]$/u, ""), VALUE)}: ${text.replace(bareValues, "$1 → $2")}`;
}

/** How people call the parts of a page that are not its main content. */
const pageAreaNames: Record<string, string> = { nav: "menu", aside: "sidebar" };

/**
 * Describes several differences: as many in words as fit, the others as a number. `count` is exact if the list is cut.
 * `heading` names the section of the first one, if it is in no row that has a name. The same difference at several
 * places counts once.
 */
export function describeChanges(changes: Piece[], count: number, where = "", heading?: string): string {
  const place = where === "" || where === "main" ? "" : ` in the ${pageAreaNames[where] ?? where}`;
  if (changes.length === 0) return `${count} ${count === 1 ? "line" : "lines"} changed${place}`;
  const distinct = new Map(
    changes.map((change) => [JSON.stringify([change.before, change.after, change.row]), change]),
  );
  const repeated = changes.length - distinct.size;
  const texts: string[] = [];
  let lastItem = "";
  for (const change of [...distinct.values()].slice(0, MAX_NAMED)) {
    const isFirst = texts.length === 0;
    const text = nameItem(sayChange(change), change.row ?? (isFirst ? heading : undefined));
    const [item = ""] = /^[^“”]+: /.exec(text) ?? [];
    // An item that has just been named isn't named again.
    texts.push(item !== "" && lastItem === item ? text.slice(item.length) : text);
    lastItem = item;
  }
  return `${listInWords(texts, count - repeated)}${place}`;
}

const startOfValue = /(?:\p{Sc}|(?<![\p{L}\d])v|(?<![\d.,:/'-]))[\d.,:/'-]*$/u;
const restOfValue = /^(?:[.,:/'-]?\d+)*\s?(?:[\p{Sc}%°]|(?:EUR|USD|GBP|CHF|kr|zł|Kč)(?!\p{L}))?/u;

/**
 * Returns the first change and the words before it; a number includes all its digits and its unit: 59.00 €, not 59. So
 * does a date: 7/21/2026, not 21.
 */
function findWholeValues(marks: NonNullable<Piece["words"]>, first: number) {
  const before = first > 0 ? (marks[0]?.text ?? "") : "";
  const [removed, added] = [pieceOf(marks, first, "removed"), pieceOf(marks, first, "added")];
  if (!mayBeInValue(removed) || !mayBeInValue(added)) return { shared: before.trim(), removed, added };
  const next = marks.findIndex(({ op }, at) => at > first && op === "same");
  const rest = next < 0 ? [] : marks.slice(next);
  const tail = (other: "removed" | "added") => {
    const text = rest.map((run) => (run.op === other ? "" : run.text)).join("");
    return monthIn(text, /^\s(\p{L}+)/u) || (restOfValue.exec(text)?.[0] ?? "").trimEnd();
  };
  const head = monthIn(before, /(?<!\p{L})(\p{L}+)\.?\s$/u) || (startOfValue.exec(before)?.[0] ?? "");
  // Where one side has nothing, a number that only follows after a space isn't a part of the value.
  const isWhole = removed === "" || added === "";
  const isJoined =
    /\d$/.test(head) || /^\S*\d/.test(marks[first]?.text.endsWith(" ") ? "" : (rest[0]?.text ?? ""));
  if (isWhole && !isJoined) return { shared: before.trim(), removed, added };
  return {
    shared: before.slice(0, before.length - head.length).trim(),
    removed: head + removed + tail("added"),
    added: head + added + tail("removed"),
  };
}

/** What a pattern finds in a text if its group is the name of a month: a day isn't a date without it. */
function monthIn(text: string, pattern: RegExp): string {
  const [whole = "", name = ""] = pattern.exec(text) ?? [];
  return monthsByName().has(name.toLowerCase()) ? whole : "";
}

const mayBeInValue = (text: string) => text === "" || /^v?[\d/.,:-]*\d[\d/.,:-]*/.test(text);

/** Returns the first run of removed or added words, up to where the texts are equal again. */
function pieceOf(marks: NonNullable<Piece["words"]>, first: number, wanted: "removed" | "added"): string {
  let text = "";
  for (const { op, text: run } of marks.slice(first)) {
    if (op === "same") break;
    if (op === wanted) text += run;
  }
  return text.trim();
}

function cutStart(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = trimHalfCharacters(text.slice(1 - length));
  const space = tail.indexOf(" ");
  return `…${(space >= 0 && space < length * 0.4 ? tail.slice(space + 1) : tail).trimStart()}`;
}
