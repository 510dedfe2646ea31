import { structuredData } from "../controls-and-metadata/structured-data.ts";
import { parseXml } from "../file-formats/parse-xml.ts";
import { extractPage } from "../html-parsing/extract-page.ts";
import { type HtmlNode, parseHtml, rawText } from "../html-parsing/parse-html.ts";
import { jsonOfFile, jsonOfPage } from "../selectors-and-ignore-rules/json-documents.ts";
import { readCapture } from "../selectors-and-ignore-rules/pattern.ts";
import { Budget } from "../selectors-and-ignore-rules/rule-budget.ts";
import { parseSelectors, type Refusal, validateValueRule } from "../selectors-and-ignore-rules/rules.ts";
import { Tree } from "../selectors-and-ignore-rules/tree.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { lazy } from "../vocabularies/locale-words.ts";
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
  const source = sourceOf(capture, filtered, budget);
  return Object.fromEntries(follow.map((followed) => [followed.name, readValue(source, followed)]));
}

const mapValues = (values: Values, change: (value: Value, name: string) => Value): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));

/** Adds the last known numbers to values that are missing now. */
export function addLastNumbers(values: Values, before: Values | null): Values {
  return mapValues(values, (value, name) => {
    const last = before?.[name]?.number ?? before?.[name]?.last;
    return value.text === null && last !== undefined ? { ...value, last } : value;
  });
}

const alertedNumber = ({ alerted, number, last }: Value) => alerted ?? number ?? last;

function withoutAlerted(value: Value): Value {
  const { text, number, last } = value;
  return last === undefined ? { text, number } : { text, number, last };
}

/** Adds what was known at the last alert. `read` is the same capture's value by the current rule. */
export function addAlertedNumbers(values: Values, before: Values, read: Values = before): Values {
  return mapValues(values, (current, name) => {
    const value = withoutAlerted(current);
    const then = before[name];
    // By another rule it is another number, and nothing about that was alerted.
    const known = then && then.number === read[name]?.number ? then : read[name];
    const alerted = known && alertedNumber(known);
    return alerted === undefined || alerted === value.number ? value : { ...value, alerted };
  });
}

/** Forgets the earlier numbers of values that a verdict alerts: from now on, they are compared with the new ones. */
export function settleAlerted(values: Values, { changed, folded, untold, reasons }: Verdict): Values {
  if (!changed || folded || untold !== undefined) return values;
  const alerted = new Set(
    reasons
      .filter(({ kind }) => kind === "value")
      .flatMap(({ changes }) => changes.map(({ where }) => where)),
  );
  return mapValues(values, (value, name) => (alerted.has(name) ? withoutAlerted(value) : value));
}

/** Returns the first value whose rule can't be parsed, and why. */
export function validateFollowedValues(follow: Follow[]): Refusal | null {
  for (const [at, { by, rule }] of follow.entries()) {
    const reason = by === "selector" || by === "pattern" ? validateValueRule(by, rule) : null;
    if (reason) return { field: `values.${at}.rule`, reason };
  }
  return null;
}

/** What values are read from. The capture is parsed once and only when needed. */
function sourceOf(capture: Snapshot, filtered: Pick<Snapshot, "text">, budget: Budget) {
  const { kind, html } = capture;
  const address = capture.finalUrl || capture.url;
  const text = lazy(() => capture.text.map((block) => block.text).join("\n"));
  const nodes = lazy(() => parseHtml(html));
  const page = lazy(() => extractPage(html, address, nodes()));
  const ownOffer = lazy(() => findOwnOffer(page(), address));
  // How the page's other prices are written says more than its language.
  const decimal = lazy(() => findDecimal(text()));
  return { capture, kind, filtered, budget, text, nodes, page, ownOffer, decimal };
}

type Source = ReturnType<typeof sourceOf>;

function readValue(source: Source, { by, rule }: Follow): Value {
  if (by === "price") return readPrice(source);
  if (by === "availability") return readAvailability(source);
  if (by === "number") return readLoneNumber(source);
  if (by === "selector") return select(source, rule);
  const found = readCapture(rule.trim())?.(source.text(), source.budget);
  return found === undefined ? missing : parseValue(source, found);
}

function parseValue({ nodes, decimal }: Source, text: string, isExact = false): Value {
  const plain = foldSpace(text).slice(0, MAX_TEXT).toWellFormed();
  if (plain === "") return missing;
  const exact = isExact ? Number(plain) : Number.NaN;
  if (!Number.isNaN(exact)) return { text: plain, number: exact };
  const language = nodes().find(({ tag }) => tag === "html")?.attributes.lang ?? "";
  return { text: plain, number: readNumber(plain, language, decimal() || undefined) };
}

/** Finds a value that the page states for machines: in its JSON-LD, else its microdata, else its meta elements. */
function findMetadata(
  { kind, nodes, page, ownOffer }: Source,
  names: string[],
  metas: string[],
  offered: "price" | "availability",
): string | undefined {
  if (kind !== "html") return undefined;
  const offer = ownOffer();
  const own = offer?.[offered];
  if (own !== undefined) return own;
  const data = offer ? undefined : structuredData(page()).find(({ name }) => names.includes(name));
  if (data) return data.value;
  const index = findOutside(
    nodes(),
    (node) => isStruck(node) || isOtherPart(node),
    ({ attributes }) => names.includes(attributes.itemprop ?? ""),
  );
  if (index >= 0) {
    const { content, href, value } = nodes()[index]?.attributes ?? {};
    return content ?? href ?? value ?? rawText(nodes(), index);
  }
  return page().metas.find(({ name }) => metas.includes(name))?.content;
}

function readPrice(source: Source): Value {
  const metas = ["product:price:amount", "og:price:amount"];
  const metadata = findMetadata(source, ["price", "lowPrice"], metas, "price");
  if (metadata !== undefined) return parseValue(source, metadata, true);
  const shown = source.kind === "html" ? findVisiblePrice(source.nodes()) : undefined;
  return shown ? parseValue(source, shown.text) : missing;
}

function readAvailability(source: Source): Value {
  const metas = ["product:availability", "og:availability"];
  const metadata = findMetadata(source, ["availability"], metas, "availability");
  const word = metadata?.split("/").at(-1)?.trim() ?? "";
  return word === "" ? missing : { text: describeStock(word), number: null };
}

function readLoneNumber(source: Source): Value {
  const rewordings = source.kind === "html" ? findRewordings(source.nodes()) : [];
  const text = source.filtered.text
    .map((block) =>
      rewordings.reduce((line, [shown, read]) => line.replace(shown, () => read), foldSpace(block.text)),
    )
    .join("\n");
  return countNumbers(text) === 1 ? parseValue(source, text) : missing;
}

function select(source: Source, rule: string): Value {
  const { kind, capture, nodes, budget } = source;
  const [selector] = parseSelectors(rule);
  if (selector && selector.kind !== "elements") return compute(source, selector.compute);
  if (!selector || (kind !== "html" && kind !== "xml")) return missing;
  const tree = new Tree(kind === "xml" ? parseXml(capture.html) : nodes(), budget);
  const [computed] = selector.findValues?.(tree) ?? [];
  if (computed !== undefined) return parseValue(source, computed);
  const [index] = selector.find(tree);
  if (index === undefined) return missing;
  const { content, value } = tree.nodes[index]?.attributes ?? {};
  // If all of it is struck out, that is what the user asked for.
  const text = readableText(tree.nodes, index) || foldSpace(rawText(tree.nodes, index));
  return parseValue(source, text || (content ?? value ?? ""));
}

function compute(source: Source, query: (document: unknown, budget: Budget) => unknown[]): Value {
  const documents = source.kind === "html" ? [] : jsonOfFile(source.capture);
  for (const one of documents.length > 0 ? documents : jsonOfPage(source.nodes())) {
    const [found] = query(one, source.budget);
    if (typeof found === "number") return { text: String(found), number: found };
    if (found !== undefined && found !== null)
      return parseValue(source, typeof found === "string" ? found : JSON.stringify(found));
  }
  return missing;
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
