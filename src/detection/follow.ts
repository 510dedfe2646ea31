import { extractPage } from "./extract-page.ts";
import { foldSpace } from "./html/fold-space.ts";
import { type HtmlNode, parseHtml, rawText } from "./html/parse-html.ts";
import type { Page } from "./page.ts";
import { countNumbers, readNumber } from "./read-number.ts";
import { Budget } from "./rule-budget.ts";
import type { Location } from "./rules/json-path.ts";
import { readCapture } from "./rules/pattern.ts";
import { Tree } from "./rules/tree.ts";
import { type Refusal, readSelectors, refuseValueRule } from "./rules.ts";
import type { Snapshot } from "./snapshot.ts";
import { structuredData } from "./structure/structured-data.ts";
import type { Way } from "./ways.ts";

/** A value that is followed. */
export type Follow = { name: string; by: Way; rule: string };

/** What was read; null where it was not there. `last` is the number that stood there before it went missing. */
export type Value = { text: string | null; number: number | null; last?: number };
export type Values = Record<string, Value>;

const MAX_TEXT = 200;
const missing: Value = { text: null, number: null };

/**
 * Reads the values that a job follows off a whole capture; `seen` is what its rules show of it. Throws a RuleFailure
 * where that exceeds its budget.
 */
export function readValues(
  follow: Follow[],
  whole: Snapshot,
  seen: Pick<Snapshot, "text">,
  budget = new Budget(),
): Values {
  const read = new Reading(whole, seen, budget);
  return Object.fromEntries(follow.map((one) => [one.name, read.value(one)]));
}

/** Values with the numbers that stood before those that are missing now. */
export function rememberLast(values: Values, before: Values | null): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const last = before?.[name]?.number ?? before?.[name]?.last;
    return [name, value.text === null && last !== undefined ? { ...value, last } : value];
  });
  return Object.fromEntries(entries) as Values;
}

/** The first value that cannot be read as it is said, and why. */
export function refuseFollow(follow: Follow[]): Refusal | null {
  for (const [at, { by, rule }] of follow.entries()) {
    const reason = by === "selector" || by === "pattern" ? refuseValueRule(by, rule) : null;
    if (reason) return { field: `values.${at}.rule`, reason };
  }
  return null;
}

/** A capture, each way of reading it made once and only when asked for. */
class Reading {
  readonly #whole: Snapshot;
  readonly #seen: Pick<Snapshot, "text">;
  readonly #budget: Budget;
  #nodes: HtmlNode[] | undefined;
  #page: Page | undefined;

  constructor(whole: Snapshot, seen: Pick<Snapshot, "text">, budget: Budget) {
    this.#whole = whole;
    this.#seen = seen;
    this.#budget = budget;
  }

  value({ by, rule }: Follow): Value {
    if (by === "price") return this.#price();
    if (by === "availability") return this.#availability();
    if (by === "number") return this.#loneNumber();
    return by === "selector" ? this.#select(rule) : this.#match(rule);
  }

  get #tree(): HtmlNode[] {
    this.#nodes ??= parseHtml(this.#whole.html);
    return this.#nodes;
  }

  get #read(): Page {
    const { html, finalUrl, url } = this.#whole;
    this.#page ??= extractPage(html, finalUrl || url, this.#tree);
    return this.#page;
  }

  get #language(): string {
    return this.#tree.find(({ tag }) => tag === "html")?.attributes.lang ?? "";
  }

  #of(text: string, isExact = false): Value {
    const folded = foldSpace(text).slice(0, MAX_TEXT).toWellFormed();
    if (folded === "") return missing;
    const exact = isExact ? Number(folded) : Number.NaN;
    return { text: folded, number: Number.isNaN(exact) ? readNumber(folded, this.#language) : exact };
  }

  /** What a page says of itself to machines: first its JSON-LD, then its microdata, then its metas. */
  #said(names: string[], metas: string[]): string | undefined {
    if (this.#whole.kind !== "html") return undefined;
    const data = structuredData(this.#read).find(({ name }) => names.includes(name));
    if (data) return data.value;
    const index = this.#tree.findIndex(({ attributes }) => names.includes(attributes.itemprop ?? ""));
    if (index >= 0) {
      const { content, href, value } = this.#tree[index]?.attributes ?? {};
      return content ?? href ?? value ?? rawText(this.#tree, index);
    }
    return this.#read.metas.find(({ name }) => metas.includes(name))?.content;
  }

  #price(): Value {
    const said = this.#said(["price", "lowPrice"], ["product:price:amount", "og:price:amount"]);
    return said === undefined ? missing : this.#of(said, true);
  }

  #availability(): Value {
    const said = this.#said(["availability"], ["product:availability", "og:availability"]);
    const word = said?.split("/").at(-1)?.trim() ?? "";
    return word === "" ? missing : { text: inWords(word), number: null };
  }

  #loneNumber(): Value {
    const text = this.#seen.text.map((block) => block.text).join("\n");
    return countNumbers(text) === 1 ? this.#of(text) : missing;
  }

  #select(rule: string): Value {
    const [selector] = readSelectors(rule);
    if (selector?.kind === "values") return this.#valueAt(selector.find);
    if (selector?.kind !== "elements" || this.#whole.kind !== "html") return missing;
    const [index] = selector.find(new Tree(this.#tree, this.#budget));
    if (index === undefined) return missing;
    const { content, value } = this.#tree[index]?.attributes ?? {};
    return this.#of(foldSpace(rawText(this.#tree, index)) || (content ?? value ?? ""));
  }

  #valueAt(find: (document: unknown, budget: Budget) => Location[]): Value {
    if (this.#whole.kind !== "json") return missing;
    let at: unknown;
    try {
      at = JSON.parse(this.#whole.html);
    } catch {
      return missing;
    }
    const [location] = find(at, this.#budget);
    if (!location) return missing;
    for (const step of location) at = (at as Record<string | number, unknown>)[step];
    if (typeof at === "number") return { text: String(at), number: at };
    return at === null ? missing : this.#of(typeof at === "string" ? at : JSON.stringify(at));
  }

  #match(rule: string): Value {
    const find = readCapture(rule.trim());
    const texts = this.#whole.text.map(({ text }) => text).join("\n");
    const found = find?.(texts, this.#budget);
    return found === undefined ? missing : this.#of(found);
  }
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

function inWords(word: string): string {
  return stocks[word.toLowerCase().replace(/[\s_-]/g, "")] ?? word.slice(0, MAX_TEXT);
}

/** Whether something can be bought again that could not. */
export function isBackInStock(before: Value, after: Value): boolean {
  const has = ({ text }: Value) => text?.startsWith("in stock") ?? false;
  return has(after) && !has(before);
}
