import { structuredData } from "../controls-and-metadata/structured-data.ts";
import { extractPage } from "../html-parsing/extract-page.ts";
import type { Page } from "../html-parsing/page.ts";
import { type HtmlNode, parseHtml, rawText } from "../html-parsing/parse-html.ts";
import { valueAt } from "../selectors-and-ignore-rules/file-lines.ts";
import { jsonOfFile, jsonOfPage } from "../selectors-and-ignore-rules/json-documents.ts";
import { parseXml } from "../selectors-and-ignore-rules/parse-xml.ts";
import { readCapture } from "../selectors-and-ignore-rules/pattern.ts";
import { Budget } from "../selectors-and-ignore-rules/rule-budget.ts";
import {
  parseSelectors,
  type Refusal,
  type Selector,
  validateValueRule,
} from "../selectors-and-ignore-rules/rules.ts";
import { Tree } from "../selectors-and-ignore-rules/tree.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { findOwnOffer } from "./find-own-offer.ts";
import { findVisiblePrice, isOtherPart } from "./find-visible-price.ts";
import type { Way } from "./followed-value-sources.ts";
import { countNumbers, findDecimal, readNumber } from "./read-number.ts";
import { findRewordings, isStruck, readableText } from "./readable-text.ts";

/** A value that a job follows, and how it is found. */
export type Follow = { name: string; by: Way; rule: string };

/**
 * A value as read; null if it was missing. `last` is the last number before it went missing, `alerted` the number that
 * was known at the last alert about it, if that is another one.
 */
export type Value = { text: string | null; number: number | null; last?: number; alerted?: number };
export type Values = Record<string, Value>;

const MAX_TEXT = 200;
const missing: Value = { text: null, number: null };

/**
 * Reads the values that a job follows from an unfiltered capture; `filtered` is the capture after the job's rules.
 * Throws a RuleFailure if reading exceeds the budget.
 */
export function readValues(
  follow: Follow[],
  capture: Snapshot,
  filtered: Pick<Snapshot, "text">,
  budget = new Budget(),
): Values {
  const reader = new ValueReader(capture, filtered, budget);
  return Object.fromEntries(follow.map((followed) => [followed.name, reader.value(followed)]));
}

/** Adds the last known numbers to values that are missing now. */
export function addLastNumbers(values: Values, before: Values | null): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const last = before?.[name]?.number ?? before?.[name]?.last;
    return [name, value.text === null && last !== undefined ? { ...value, last } : value];
  });
  return Object.fromEntries(entries) as Values;
}

const alertedNumber = ({ alerted, number, last }: Value) => alerted ?? number ?? last;

function withoutAlerted(value: Value): Value {
  const { text, number, last } = value;
  return last === undefined ? { text, number } : { text, number, last };
}

/** Adds what was known at the last alert. `read` is the same capture's value by the current rule. */
export function addAlertedNumbers(values: Values, before: Values, read: Values = before): Values {
  const entries = Object.entries(values).map(([name, current]) => {
    const value = withoutAlerted(current);
    const then = before[name];
    // By another rule it is another number, and nothing about that was alerted.
    const known = then && then.number === read[name]?.number ? then : read[name];
    const alerted = known && alertedNumber(known);
    return [name, alerted === undefined || alerted === value.number ? value : { ...value, alerted }];
  });
  return Object.fromEntries(entries) as Values;
}

/** Forgets the earlier numbers of values that a verdict alerts: from now on, they are compared with the new ones. */
export function settleAlerted(values: Values, { changed, folded, untold, reasons }: Verdict): Values {
  if (!changed || folded || untold !== undefined) return values;
  const alerted = new Set(
    reasons
      .filter(({ kind }) => kind === "value")
      .flatMap(({ changes }) => changes.map(({ where }) => where)),
  );
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    alerted.has(name) ? withoutAlerted(value) : value,
  ]);
  return Object.fromEntries(entries) as Values;
}

/** Returns the first value whose rule can't be parsed, and why. */
export function validateFollowedValues(follow: Follow[]): Refusal | null {
  for (const [at, { by, rule }] of follow.entries()) {
    const reason = by === "selector" || by === "pattern" ? validateValueRule(by, rule) : null;
    if (reason) return { field: `values.${at}.rule`, reason };
  }
  return null;
}

/** Reads values from a capture; parses it once and only when needed. */
class ValueReader {
  readonly #capture: Snapshot;
  readonly #filtered: Pick<Snapshot, "text">;
  readonly #budget: Budget;
  #nodes: HtmlNode[] | undefined;
  #page: Page | undefined;
  #decimal: string | undefined;
  #ownOffer: { found: ReturnType<typeof findOwnOffer> } | undefined;

  constructor(capture: Snapshot, filtered: Pick<Snapshot, "text">, budget: Budget) {
    this.#capture = capture;
    this.#filtered = filtered;
    this.#budget = budget;
  }

  value({ by, rule }: Follow): Value {
    if (by === "price") return this.#price();
    if (by === "availability") return this.#availability();
    if (by === "number") return this.#loneNumber();
    return by === "selector" ? this.#select(rule) : this.#match(rule);
  }

  get #tree(): HtmlNode[] {
    this.#nodes ??= parseHtml(this.#capture.html);
    return this.#nodes;
  }

  get #extractedPage(): Page {
    const { html, finalUrl, url } = this.#capture;
    this.#page ??= extractPage(html, finalUrl || url, this.#tree);
    return this.#page;
  }

  get #language(): string {
    return this.#tree.find(({ tag }) => tag === "html")?.attributes.lang ?? "";
  }

  #parseValue(text: string, isExact = false): Value {
    const plain = foldSpace(text).slice(0, MAX_TEXT).toWellFormed();
    if (plain === "") return missing;
    const exact = isExact ? Number(plain) : Number.NaN;
    if (!Number.isNaN(exact)) return { text: plain, number: exact };
    return { text: plain, number: readNumber(plain, this.#language, this.#pageDecimal || undefined) };
  }

  /** How the page's other prices are written says more than its language. */
  get #pageDecimal(): string {
    this.#decimal ??= findDecimal(this.#capture.text.map(({ text }) => text).join("\n"));
    return this.#decimal;
  }

  get #offer(): ReturnType<typeof findOwnOffer> {
    const { finalUrl, url } = this.#capture;
    this.#ownOffer ??= { found: findOwnOffer(this.#extractedPage, finalUrl || url) };
    return this.#ownOffer.found;
  }

  /** Finds a value that the page states for machines: in its JSON-LD, else its microdata, else its meta elements. */
  #findMetadata(names: string[], metas: string[], offered: "price" | "availability"): string | undefined {
    if (this.#capture.kind !== "html") return undefined;
    const offer = this.#offer;
    const own = offer?.[offered];
    if (own !== undefined) return own;
    const data = offer
      ? undefined
      : structuredData(this.#extractedPage).find(({ name }) => names.includes(name));
    if (data) return data.value;
    const index = findOutside(
      this.#tree,
      (node) => isStruck(node) || isOtherPart(node),
      ({ attributes }) => names.includes(attributes.itemprop ?? ""),
    );
    if (index >= 0) {
      const { content, href, value } = this.#tree[index]?.attributes ?? {};
      return content ?? href ?? value ?? rawText(this.#tree, index);
    }
    return this.#extractedPage.metas.find(({ name }) => metas.includes(name))?.content;
  }

  #price(): Value {
    const metas = ["product:price:amount", "og:price:amount"];
    const metadata = this.#findMetadata(["price", "lowPrice"], metas, "price");
    if (metadata !== undefined) return this.#parseValue(metadata, true);
    const shown = this.#capture.kind === "html" ? findVisiblePrice(this.#tree) : undefined;
    return shown ? this.#parseValue(shown.text) : missing;
  }

  #availability(): Value {
    const metadata = this.#findMetadata(
      ["availability"],
      ["product:availability", "og:availability"],
      "availability",
    );
    const word = metadata?.split("/").at(-1)?.trim() ?? "";
    return word === "" ? missing : { text: describeStock(word), number: null };
  }

  #loneNumber(): Value {
    const rewordings = this.#capture.kind === "html" ? findRewordings(this.#tree) : [];
    const text = this.#filtered.text
      .map((block) =>
        rewordings.reduce((line, [shown, read]) => line.replace(shown, () => read), foldSpace(block.text)),
      )
      .join("\n");
    return countNumbers(text) === 1 ? this.#parseValue(text) : missing;
  }

  #select(rule: string): Value {
    const [selector] = parseSelectors(rule);
    const { kind } = this.#capture;
    if (selector?.kind === "values" || selector?.kind === "results") return this.#valueAt(selector);
    if (!selector || (kind !== "html" && kind !== "xml")) return missing;
    const tree = new Tree(kind === "xml" ? parseXml(this.#capture.html) : this.#tree, this.#budget);
    const [computed] = selector.findValues?.(tree) ?? [];
    if (computed !== undefined) return this.#parseValue(computed);
    const [index] = selector.find(tree);
    if (index === undefined) return missing;
    const { content, value } = tree.nodes[index]?.attributes ?? {};
    // If all of it is struck out, that is what the user asked for.
    const text = readableText(tree.nodes, index) || foldSpace(rawText(tree.nodes, index));
    return this.#parseValue(text || (content ?? value ?? ""));
  }

  #valueAt(selector: Extract<Selector, { kind: "values" | "results" }>): Value {
    const document = this.#capture.kind === "html" ? undefined : jsonOfFile(this.#capture);
    const documents = document === undefined ? jsonOfPage(this.#tree) : [document];
    for (const one of documents) {
      const [found] =
        selector.kind === "results"
          ? selector.compute(one, this.#budget)
          : selector.find(one, this.#budget).map((location) => valueAt(one, location));
      if (typeof found === "number") return { text: String(found), number: found };
      if (found !== undefined && found !== null)
        return this.#parseValue(typeof found === "string" ? found : JSON.stringify(found));
    }
    return missing;
  }

  #match(rule: string): Value {
    const find = readCapture(rule.trim());
    const texts = this.#capture.text.map(({ text }) => text).join("\n");
    const found = find?.(texts, this.#budget);
    return found === undefined ? missing : this.#parseValue(found);
  }
}

/** The first node that matches and isn't in a left-out part; -1 if there is none. */
function findOutside(
  nodes: HtmlNode[],
  isLeftOut: (node: HtmlNode) => boolean,
  matches: (node: HtmlNode) => boolean,
): number {
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as HtmlNode;
    if (isLeftOut(node)) at = node.end - 1;
    else if (matches(node)) return at;
  }
  return -1;
}

const stocks: Record<string, string> = {
  instock: "in stock",
  limitedavailability: "in stock, few left",
  onlineonly: "in stock, online only",
  instoreonly: "in stock, in the shop only",
  outofstock: "out of stock",
  oos: "out of stock",
  soldout: "sold out",
  preorder: "to be ordered ahead",
  presale: "to be ordered ahead",
  backorder: "on back order",
  discontinued: "discontinued",
};

function describeStock(word: string): string {
  return stocks[word.toLowerCase().replace(/[\s_-]/g, "")] ?? word.slice(0, MAX_TEXT);
}

/** Whether something that couldn't be bought can be bought again. */
export function isBackInStock(before: Value, after: Value): boolean {
  const isInStock = ({ text }: Value) => text?.startsWith("in stock") ?? false;
  return isInStock(after) && !isInStock(before);
}
