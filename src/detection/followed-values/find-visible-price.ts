import type { HtmlNode } from "../html-parsing/parse-html.ts";
import { countPrices, hasPrice } from "./read-number.ts";
import { isStruck, isUnseen, readableText } from "./readable-text.ts";

/** Matches names whose words, as in "old-price", "oldPrice" or "old_price", include one of these. */
const named = (words: string) => new RegExp(`(?:^|-)(?:${words})(?:-|$)`);
const priceName = /price|preis|prix|precio|prezzo|preco|prijs/;
const otherPrice = named(
  "old|was|before|previous|former|list-?price|rrp|uvp|msrp|strike|crossed|compare|compared|shipping|delivery|unit|unitprice|savings?|save",
);
/** The price when nothing is reduced, the old one otherwise. */
const doubtfulPrice = named("regular|original|discount");
const otherPart = named(
  "related|recommended|recommendations?|similar|also|upsells?|cross-?sells?|carousel|recent|recently|basket|(?:mini|side|header|shopping)-?cart|cart-(?:drawer|items?|summary)",
);
/** Words before a price that say that it isn't the page's. */
const otherWords =
  /^[^\d\p{Sc}]*\b(?:shipping|delivery|versand\w*|livraison|save|was|instead of|statt|rrp|uvp)\b/iu;
const frameTags = new Set(["nav", "header", "footer", "aside", "script", "style", "template", "noscript"]);
const wholePage = new Set(["html", "head", "title", "body", "main"]);
const maxLength = 60;

function namesOf({ attributes }: HtmlNode): string {
  const names = [attributes.class, attributes.id, attributes.itemprop, attributes["data-testid"]].filter(
    Boolean,
  );
  if (names.length === 0) return "";
  return names
    .join(" ")
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z]+/g, "-");
}

/** Whether an element is about other products than the page's own, as its names say. */
export const isOtherPart = (node: HtmlNode): boolean =>
  !wholePage.has(node.tag) && otherPart.test(namesOf(node));

const isOther = (node: HtmlNode): boolean =>
  isOtherPart(node) || (!wholePage.has(node.tag) && otherPrice.test(namesOf(node)));

type Found = { at: number; text: string; rank: number };

/**
 * Finds the price that a reader takes for the page's: the first one after the main heading, in an element named as a
 * price if there is one, without old prices, shipping and other products.
 */
export function findVisiblePrice(nodes: HtmlNode[]): { at: number; text: string } | undefined {
  const found: Found[] = [];
  const heading = nodes.findIndex(({ tag }) => tag === "h1");
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (node?.kind !== "element") continue;
    // The heading itself may be in a header.
    const isFrame = frameTags.has(node.tag) && !(at < heading && heading < node.end);
    if (isFrame || isStruck(node) || isUnseen(node) || isOther(node)) {
      at = node.end - 1;
      continue;
    }
    // A price is in an element or two of its own; a text that long isn't read.
    if (node.end - at > 20 || wholePage.has(node.tag)) continue;
    const text = readableText(nodes, at, isOther);
    if (text.length <= maxLength && hasPrice(text)) found.push({ at, text, rank: rankOf(node, text) });
  }
  const after = found.filter(({ at }) => at > heading);
  const candidates = after.length > 0 ? after : found;
  const best = candidates.reduce((highest, { rank }) => Math.max(highest, rank), 0);
  return innermost(
    nodes,
    candidates.filter(({ rank }) => rank === best),
  );
}

/** How likely a text is the price: a single price first, in an element named as a price, that nothing calls another. */
function rankOf(node: HtmlNode, text: string): number {
  const names = namesOf(node);
  const isDoubtful = doubtfulPrice.test(names) || otherWords.test(text);
  return (countPrices(text) > 1 ? 0 : 4) + (priceName.test(names) ? 2 : 0) + (isDoubtful ? 0 : 1);
}

/** The first price, in the smallest element that holds all of it. */
function innermost(nodes: HtmlNode[], found: Found[]): Found | undefined {
  const [first] = found;
  if (!first) return undefined;
  const end = nodes[first.at]?.end ?? 0;
  return found.findLast(({ at, text }) => at < end && text === first.text) ?? first;
}
