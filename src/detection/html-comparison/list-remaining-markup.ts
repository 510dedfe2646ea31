import { attributeValue, type CanonicalHtml } from "../html-formatting/canonical-html.ts";
import { hasNoReadableText } from "../html-parsing/has-no-readable-text.ts";
import type { Block, Page } from "../html-parsing/page.ts";
import type { HtmlNode } from "../html-parsing/parse-html.ts";
import type { LineHunk } from "../line-and-word-diff/diff-lines.ts";
import { subtract } from "../multisets.ts";
import { markupRules } from "../noise-rules/markup-rules.ts";
import { decide, decidedBy } from "../noise-rules/noise-rule.ts";
import type { Ignored, NoiseReason } from "../verdict/verdict.ts";

/** A page, its canonical HTML, and the blocks whose text is already reported or listed as ignored. */
type PrintedPage = { page: Page; print: CanonicalHtml; judged: ReadonlySet<Block | null> };

/** A piece of markup: `what` is its kind ("class of <div>"), `line` is the line to show. */
type Part = { what: string; value: string; line: string };

/**
 * Lists every difference in the canonical HTML that no other comparison covers, so that none is dropped silently:
 * by kind, each with an example and a count. `covered` holds the values that other comparisons cover.
 */
export function listRemainingMarkup(
  older: PrintedPage,
  newer: PrintedPage,
  hunks: LineHunk[],
  covered: ReadonlySet<string>,
): Ignored[] {
  const [removed, added] = [new Parts(older, covered), new Parts(newer, covered)];
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    const oldElements = removed.recordLines(oldStart, oldStart + oldCount);
    const newElements = added.recordLines(newStart, newStart + newCount);
    for (const tag of new Set([...oldElements.keys(), ...newElements.keys()])) {
      const [old, now] = [oldElements.get(tag) ?? [], newElements.get(tag) ?? []];
      for (let at = 0; at < Math.max(old.length, now.length); at++) {
        removed.recordElement(old[at], now[at]?.node);
        added.recordElement(now[at], old[at]?.node);
      }
    }
  }
  const groups = new Groups();
  for (const what of new Set([...removed.kinds.keys(), ...added.kinds.keys()])) {
    const [old, now] = [removed.kinds.get(what) ?? [], added.kinds.get(what) ?? []];
    const gone = subtract(old, now, ({ value }) => value);
    const come = subtract(now, old, ({ value }) => value);
    const isGone = new Set(gone);
    for (const part of old) if (!isGone.has(part)) groups.add("", part, part, decidedBy("order.markup"));
    for (let at = 0; at < Math.max(gone.length, come.length); at++) {
      const [before, after] = [gone[at] ?? null, come[at] ?? null];
      const fact = { what, before: before?.value ?? null, after: after?.value ?? null };
      groups.add(what, before, after, decide(markupRules, fact) ?? "markup");
    }
  }
  return groups.list();
}

type Element = { node: HtmlNode; line: string };

class Parts {
  readonly kinds = new Map<string, Part[]>();
  readonly #side: PrintedPage;
  readonly #covered: ReadonlySet<string>;
  readonly #isCovered: (index: number) => boolean;

  constructor(side: PrintedPage, covered: ReadonlySet<string>) {
    this.#side = side;
    this.#covered = covered;
    this.#isCovered = coverageOf(side);
  }

  /** Records comments, code and text that nothing else covers; returns the elements among the lines, by tag. */
  recordLines(from: number, to: number): Map<string, Element[]> {
    const { page, print } = this.#side;
    const elements = new Map<string, Element[]>();
    for (let at = from; at < to; at++) {
      const index = print.nodes[at] ?? -1;
      const node = page.nodes[index];
      if (!node) continue;
      const line = print.lines[at]?.trim() ?? "";
      if (node.kind === "text") {
        const tag = page.nodes[node.parent]?.tag ?? "";
        if (!this.#isCovered(index)) this.#add(`text in <${tag}>`, line, line);
      } else if (node.kind !== "element") this.#add(node.kind, line, line);
      else if (print.nodes[at - 1] === index) this.#add(`code of <${node.tag}>`, line, line);
      else {
        const others = elements.get(node.tag);
        if (others) others.push({ node, line });
        else elements.set(node.tag, [{ node, line }]);
      }
    }
    return elements;
  }

  /** Records what an element has and its counterpart lacks. */
  recordElement(element: Element | undefined, counterpart: HtmlNode | undefined): void {
    if (!element) return;
    const { node, line } = element;
    const names = Object.keys(node.attributes);
    if (!counterpart) this.#add(`<${node.tag}>`, "", line);
    for (const name of names) {
      const value = attributeValue(node, name);
      const isSame =
        counterpart &&
        Object.hasOwn(counterpart.attributes, name) &&
        attributeValue(counterpart, name) === value;
      if (!isSame) this.#add(`${name} of <${node.tag}>`, value, line);
    }
  }

  #add(what: string, value: string, line: string): void {
    if (value !== "" && this.#covered.has(value)) return;
    const sameKind = this.kinds.get(what);
    if (sameKind) sameKind.push({ what, value, line });
    else this.kinds.set(what, [{ what, value, line }]);
  }
}

/** Returns a test for text nodes: whether they belong to a block that the text comparison reported or listed. */
function coverageOf({ page, judged }: PrintedPage): (index: number) => boolean {
  const { blocks, nodes } = page;
  let at = -1;
  let silentUntil = 0;
  let seen = 0;
  // Lines are asked for in document order, so both cursors move forward only once.
  return (index) => {
    for (; seen <= index; seen++) {
      const node = nodes[seen];
      if (node?.kind === "element" && hasNoReadableText(node)) silentUntil = Math.max(silentUntil, node.end);
    }
    if (index < silentUntil) return false;
    while ((blocks[at + 1]?.node ?? Number.POSITIVE_INFINITY) <= index) at++;
    const block = blocks[at];
    return block !== undefined && judged.has(block);
  };
}

// A page can make up any number of tag and attribute names; beyond this many kinds, only their number is listed.
const MAX_KINDS = 200;
const MAX_SHOWN = 300;

class Groups {
  readonly #groups = new Map<string, Ignored & { count: number }>();

  add(kind: string, before: Part | null, after: Part | null, why: NoiseReason): void {
    const isKnown = this.#groups.has(`${why} ${kind}`);
    const place = isKnown || this.#groups.size < MAX_KINDS ? kind : "of other sorts";
    const group = this.#groups.get(`${why} ${place}`);
    if (group) group.count++;
    else {
      const show = (part: Part | null) => part && part.line.slice(0, MAX_SHOWN);
      const example = { place, before: show(before), after: show(after), why, count: 1 };
      this.#groups.set(`${why} ${place}`, example);
    }
  }

  list(): Ignored[] {
    return [...this.#groups.values()];
  }
}
