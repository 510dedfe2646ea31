import { canonicalHtml } from "../html-formatting/canonical-html.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Verdict } from "../verdict/verdict.ts";

/**
 * Every difference in markup, code, unread text and headers that the verdict neither reports nor lists. It shares only
 * the printed lines with the comparison: parts are read from the lines, and each must be named in a reason or an entry,
 * or be counted by an entry of its kind.
 */
export function findUnlistedMarkup(before: Snapshot, after: Snapshot, verdict: Verdict): string[] {
  const listed = new ListedParts(verdict);
  return [...missingMarkup(before, after, verdict, listed), ...missingHeaders(before, after, listed)];
}

function missingMarkup(before: Snapshot, after: Snapshot, verdict: Verdict, listed: ListedParts): string[] {
  if (before.kind !== "html" || after.kind !== "html") return [];
  const [old, now] = [linesOf(before.html), linesOf(after.html)];
  const [removed, added]: Line[][] = [[], []];
  let [x, y] = [0, 0];
  for (const hunk of verdict.hunks) {
    for (; x < hunk.oldStart; x++, y++) {
      if (old[x]?.text !== now[y]?.text) return [`line ${x} differs outside the hunks`];
    }
    removed?.push(...old.slice(x, x + hunk.removed.length));
    added?.push(...now.slice(y, y + hunk.added.length));
    x += hunk.removed.length;
    y += hunk.added.length;
  }
  for (; x < old.length || y < now.length; x++, y++) {
    if (old[x]?.text !== now[y]?.text) return [`line ${x} differs outside the hunks`];
  }
  return missingParts(removed ?? [], added ?? [], listed);
}

type Line = { text: string; inside: string };

// Elements whose text readers don't see; visible text, including that of drawings, has its own checker.
const unread =
  /^<(script|style|template|svg|math|title|textarea|iframe|object|noembed|noframes|datalist)[ >]/;

/** The printed lines, each with the unread element that contains it. */
function linesOf(html: string): Line[] {
  const open: string[] = [];
  return canonicalHtml(html).lines.map((line) => {
    const text = line.trim();
    const top = open.at(-1) ?? "";
    if (top !== "" && text === `</${top}>`) open.pop();
    const isForeign = open.includes("svg") || open.includes("math");
    // Inside a drawing, a title is an ordinary element.
    const inside = isForeign && raw.has(open.at(-1) ?? "") ? "svg" : (open.at(-1) ?? "");
    const opened = unread.exec(text)?.[1];
    if (opened !== undefined && !isCode(inside) && !raw.has(inside)) open.push(opened);
    return { text, inside };
  });
}

// Tags inside these elements are text.
const raw = new Set(["title", "textarea", "iframe", "noembed", "noframes"]);

function isCode(tag: string): boolean {
  return tag === "script" || tag === "style";
}

/** The parts of some lines with their counts: for example "class of <div>" with its values. */
function partsOf(lines: Line[]): Map<string, Map<string, number>> {
  const sorts = new Map<string, Map<string, number>>();
  const add = (sort: string, value: string) => {
    const values = sorts.get(sort) ?? new Map<string, number>();
    values.set(value, (values.get(value) ?? 0) + 1);
    sorts.set(sort, values);
  };
  for (const { text, inside } of lines) {
    const tag = /^<([^\s<>/!][^\s>]*)( .*)?>$/.exec(text);
    if (isCode(inside)) add(`code of <${inside}>`, text);
    else if (raw.has(inside)) add("unread text", text);
    else if (text.startsWith("</")) continue;
    else if (text.startsWith("<!--")) add("comment", text);
    else if (tag) {
      add(`<${tag[1]}>`, "");
      for (const [, name, value = ""] of (tag[2] ?? "").matchAll(/ (\S+?)(?:="([^"]*)")?(?= |$)/g))
        add(`${name} of <${tag[1]}>`, value.replaceAll("&quot;", '"'));
    } else if (text.startsWith("<!")) add("doctype", text);
    else if (inside !== "" && inside !== "svg") add("unread text", text);
  }
  return sorts;
}

function missingParts(removed: Line[], added: Line[], listed: ListedParts): string[] {
  const unlisted: string[] = [];
  const [removedParts, addedParts] = [partsOf(removed), partsOf(added)];
  for (const sort of new Set([...removedParts.keys(), ...addedParts.keys()])) {
    const [old, now] = [removedParts.get(sort) ?? new Map(), addedParts.get(sort) ?? new Map()];
    // Additions and removals of one kind are one difference, so the larger number of the two must be counted.
    const missing = [unnamed(old, now, listed), unnamed(now, old, listed)];
    const most = (missing[0]?.length ?? 0) >= (missing[1]?.length ?? 0) ? missing[0] : missing[1];
    for (const value of (most ?? []).slice(listed.countOf(sort)))
      if (!listed.isCut()) unlisted.push(`${sort}: ${value.slice(0, 120)}`);
  }
  const isDifferent = removed.map(({ text }) => text).join("\n") !== added.map(({ text }) => text).join("\n");
  if (isDifferent && unlisted.length === 0 && listed.hasNoReadableText)
    unlisted.push("lines in another order");
  return unlisted;
}

/** Values that one side has more often than the other and that the verdict doesn't name. */
function unnamed(here: Map<string, number>, there: Map<string, number>, listed: ListedParts): string[] {
  const values: string[] = [];
  for (const [value, times] of here) {
    const more = times - (there.get(value) ?? 0);
    if (more > 0 && !listed.names(value)) values.push(...Array<string>(more).fill(value));
  }
  return values;
}

function missingHeaders(before: Snapshot, after: Snapshot, listed: ListedParts): string[] {
  if (before.headers.length === 0 || after.headers.length === 0) return [];
  const valueOf = ({ headers }: Snapshot, name: string) =>
    headers
      .filter(([each]) => each === name)
      .map(([, value]) => value)
      .join(", ");
  const names = new Set([...before.headers, ...after.headers].map(([name]) => name));
  return [...names].flatMap((name) => {
    const [old, now] = [valueOf(before, name), valueOf(after, name)];
    const isListed = [old, now].every((value) => value === "" || listed.names(value));
    return old === now || isListed ? [] : [`header ${name}: ${old} → ${now}`];
  });
}

/** All differences that a verdict names or counts. */
class ListedParts {
  readonly hasNoReadableText: boolean;
  readonly #values = new Set<string>();
  readonly #text: string;
  readonly #counts = new Map<string, number>();
  /** How many entries are missing from lists that were cut. */
  #cut = 0;

  constructor({ reasons, ignored, ignoredCount }: Verdict) {
    const texts = [
      ...reasons.flatMap(({ changes }) => changes),
      ...ignored.filter(({ count }) => count === undefined),
    ].flatMap(({ before, after }) => [before ?? "", after ?? ""]);
    for (const value of texts) this.#values.add(fold(value));
    this.#text = texts.map(squash).join("\n");
    for (const { place, count = 0 } of ignored)
      this.#counts.set(place, (this.#counts.get(place) ?? 0) + count);
    for (const { count, changes } of reasons) this.#cut += count - changes.length;
    this.#cut += ignoredCount - ignored.length;
    this.hasNoReadableText = reasons.length === 0 && ignored.length === 0;
  }

  names(value: string): boolean {
    return this.#values.has(fold(value)) || (value.length > 2 && this.#text.includes(squash(value)));
  }

  /** Whether one more entry may be missing because a list was cut; each call uses one of them up. */
  isCut(): boolean {
    return this.#cut-- > 0;
  }

  countOf(sort: string): number {
    if (sort !== "unread text")
      return (this.#counts.get(sort) ?? 0) + (this.#counts.get("of other sorts") ?? 0);
    let count = 0;
    for (const [place, times] of this.#counts) if (place.startsWith("text in <")) count += times;
    return count;
  }
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function squash(text: string): string {
  return text.replace(/\s+/g, "");
}
