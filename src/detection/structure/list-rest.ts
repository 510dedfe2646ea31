import { attributeValue, type CanonicalHtml } from "../canonical-html.ts";
import type { LineHunk } from "../diff-lines.ts";
import { isSilent } from "../html/is-silent.ts";
import type { HtmlNode } from "../html/parse-html.ts";
import { whyAttribute } from "../noise/why-attribute.ts";
import type { Block, Page } from "../page.ts";
import type { Ignored, NoiseReason } from "../verdict.ts";

/** One page, how it prints, and the blocks of it whose text is told or listed already. */
export type Printed = { page: Page; print: CanonicalHtml; judged: Set<Block> };

/** A piece of markup: `what` says of which sort it is ("class of <div>"), `line` shows it. */
type Part = { what: string; value: string; line: string };

/**
 * Lists every difference between two prints that nothing else speaks of, so that none is dropped in silence: by
 * sort, with an example and how many there are. `told` holds the values that are spoken of.
 */
export function listRest(
  older: Printed,
  newer: Printed,
  hunks: LineHunk[],
  told: ReadonlySet<string>,
): Ignored[] {
  const [removed, added] = [new Parts(older, told), new Parts(newer, told)];
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    const gone = removed.elementsIn(oldStart, oldStart + oldCount);
    const come = added.elementsIn(newStart, newStart + newCount);
    for (const tag of new Set([...gone.keys(), ...come.keys()])) {
      const [old, now] = [gone.get(tag) ?? [], come.get(tag) ?? []];
      for (let at = 0; at < Math.max(old.length, now.length); at++) {
        removed.addElement(old[at], now[at]?.node);
        added.addElement(now[at], old[at]?.node);
      }
    }
  }
  const groups = new Groups();
  for (const what of new Set([...removed.sorts.keys(), ...added.sorts.keys()])) {
    const { moved, gone, come } = cancel(removed.sorts.get(what) ?? [], added.sorts.get(what) ?? []);
    for (const part of moved) groups.add("", part, part, "order");
    for (let at = 0; at < Math.max(gone.length, come.length); at++) {
      const [before, after] = [gone[at] ?? null, come[at] ?? null];
      groups.add(what, before, after, whyAttribute(what, before?.value ?? null, after?.value ?? null));
    }
  }
  return groups.list();
}

type Element = { node: HtmlNode; line: string };

class Parts {
  readonly sorts = new Map<string, Part[]>();
  readonly #side: Printed;
  readonly #told: ReadonlySet<string>;
  readonly #isSpoken: (index: number) => boolean;

  constructor(side: Printed, told: ReadonlySet<string>) {
    this.#side = side;
    this.#told = told;
    this.#isSpoken = spokenOf(side);
  }

  /** Takes down comments, code and text that nobody spoke of; the elements among the lines are given back, by tag. */
  elementsIn(from: number, to: number): Map<string, Element[]> {
    const { page, print } = this.#side;
    const elements = new Map<string, Element[]>();
    for (let at = from; at < to; at++) {
      const index = print.nodes[at] ?? -1;
      const node = page.nodes[index];
      if (!node) continue;
      const line = print.lines[at]?.trim() ?? "";
      if (node.kind === "text") {
        const tag = page.nodes[node.parent]?.tag ?? "";
        if (!this.#isSpoken(index)) this.#add(`text in <${tag}>`, line, line);
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

  /** Takes down what an element has and its counterpart has not. */
  addElement(element: Element | undefined, counterpart: HtmlNode | undefined): void {
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
    if (value !== "" && this.#told.has(value)) return;
    const sort = this.sorts.get(what);
    if (sort) sort.push({ what, value, line });
    else this.sorts.set(what, [{ what, value, line }]);
  }
}

/** Whether a text node belongs to a block that the comparison of text told or listed. */
function spokenOf({ page, judged }: Printed): (index: number) => boolean {
  const { blocks, nodes } = page;
  let at = -1;
  let silentUntil = 0;
  let seen = 0;
  // Lines are asked in document order, so both walk forward once.
  return (index) => {
    for (; seen <= index; seen++) {
      const node = nodes[seen];
      if (node?.kind === "element" && isSilent(node)) silentUntil = Math.max(silentUntil, node.end);
    }
    if (index < silentUntil) return false;
    while ((blocks[at + 1]?.node ?? Number.POSITIVE_INFINITY) <= index) at++;
    const block = blocks[at];
    return block !== undefined && judged.has(block);
  };
}

/** Parts that stand on both sides, in another place, and those that one side has alone. */
function cancel(removed: Part[], added: Part[]): { moved: Part[]; gone: Part[]; come: Part[] } {
  const waiting = new Map<string, number>();
  for (const { value } of added) waiting.set(value, (waiting.get(value) ?? 0) + 1);
  const moved: Part[] = [];
  const gone: Part[] = [];
  const used = new Map<string, number>();
  for (const part of removed) {
    const there = waiting.get(part.value) ?? 0;
    if (there === 0) gone.push(part);
    else {
      waiting.set(part.value, there - 1);
      used.set(part.value, (used.get(part.value) ?? 0) + 1);
      moved.push(part);
    }
  }
  const come = added.filter(({ value }) => {
    const times = used.get(value) ?? 0;
    used.set(value, times - 1);
    return times <= 0;
  });
  return { moved, gone, come };
}

// Whoever makes up names for tags and attributes could fill any list; past this many sorts only their number is told.
const MAX_SORTS = 200;
const SHOWN = 300;

class Groups {
  readonly #groups = new Map<string, Ignored & { count: number }>();

  add(place: string, before: Part | null, after: Part | null, why: NoiseReason): void {
    let key = `${why} ${place}`;
    let group = this.#groups.get(key);
    if (!group && this.#groups.size >= MAX_SORTS) {
      key = why;
      group = this.#groups.get(key);
    }
    if (group) group.count++;
    else {
      const show = (part: Part | null) => (part === null ? null : part.line.slice(0, SHOWN));
      const named = key === why ? "of other sorts" : place;
      this.#groups.set(key, { place: named, before: show(before), after: show(after), why, count: 1 });
    }
  }

  list(): Ignored[] {
    return [...this.#groups.values()];
  }
}
