import type { Page } from "../html-parsing/page.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";

type Thing = Record<string, unknown>;
type Found = { thing: Thing; isMain: boolean };

const maxDepth = 12;
const otherThings =
  /^(?:isRelatedTo|isSimilarTo|isAccessoryOrSparePartFor|isConsumableFor|itemListElement|mentions|review)$/;
const mainThings = /^(?:mainEntity|mainEntityOfPage)$/;
const notSold = /ListPrice|Strikethrough|SRP|MinimumAdvertised|Regular/i;

const isOfferType = (thing: Thing) => toText(thing["@type"])?.endsWith("Offer") ?? false;
const isThing = (value: unknown): value is Thing =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const toList = (value: unknown): Thing[] => (Array.isArray(value) ? value : [value]).filter(isThing);
const toText = (value: unknown) => (["string", "number"].includes(typeof value) ? String(value) : undefined);

/**
 * Finds what the page's own product costs and whether it is in stock, as its JSON-LD says: not a related product, not the
 * list price. Null if the page describes no offer.
 */
export function findOwnOffer(
  page: Page,
  url: string,
): { price: string | undefined; availability: string | undefined } | null {
  const found: Found[] = [];
  const byId = new Map<string, Thing>();
  for (const { type, code } of page.scripts) {
    if (type !== "application/ld+json") continue;
    try {
      collect(JSON.parse(code), false, 0, found, byId);
    } catch {
      // Text that is not valid JSON describes nothing.
    }
  }
  const heading = foldSpace(
    page.blocks.find(({ role }) => role === "heading")?.text ?? page.title,
  ).toLowerCase();
  const score = ({ thing, isMain }: Found): number => {
    const addresses = [thing.url, thing["@id"]].flatMap((address) => toText(address) ?? []);
    const name = foldSpace(toText(thing.name) ?? "").toLowerCase();
    return (
      (addresses.some((address) => isSamePage(address, url)) ? 4 : 0) +
      (isMain ? 2 : 0) +
      (name !== "" && heading !== "" && (heading.includes(name) || name.includes(heading)) ? 1 : 0)
    );
  };
  const [best] = found.toSorted((a, b) => score(b) - score(a));
  if (!best) return null;
  const offers = offersOf(best.thing, byId).filter((offer) => !notSold.test(toText(offer.priceType) ?? ""));
  const price = offers.map(sellingPrice).find((one) => one !== undefined);
  const availability = offers.map((offer) => toText(offer.availability)).find((one) => one !== undefined);
  return { price, availability };
}

/** Collects everything that is offered, except what other products the page names. */
function collect(
  value: unknown,
  isMain: boolean,
  depth: number,
  found: Found[],
  byId: Map<string, Thing>,
): void {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, isMain, depth + 1, found, byId);
    return;
  }
  if (!isThing(value)) return;
  const id = toText(value["@id"]);
  if (id !== undefined && Object.keys(value).length > 1) byId.set(id, value);
  const isOffer = isOfferType(value);
  if (isOffer || value.offers !== undefined || value.hasVariant !== undefined)
    found.push({ thing: value, isMain });
  for (const [name, field] of Object.entries(value)) {
    if (otherThings.test(name) || name === "offers" || name === "hasVariant") continue;
    collect(field, isMain || mainThings.test(name), depth + 1, found, byId);
  }
  // Offers may be named by others.
  for (const offer of toList(value.offers)) {
    const offerId = toText(offer["@id"]);
    if (offerId !== undefined && Object.keys(offer).length > 1) byId.set(offerId, offer);
  }
}

function offersOf(thing: Thing, byId: Map<string, Thing>): Thing[] {
  const open = (offer: Thing) => byId.get(toText(offer["@id"]) ?? "") ?? offer;
  if (isOfferType(thing)) return [thing];
  const own = toList(thing.offers).map(open);
  return own.length > 0
    ? own
    : toList(thing.hasVariant).flatMap((variant) => toList(open(variant).offers).map(open));
}

function sellingPrice(offer: Thing): string | undefined {
  const specified = toList(offer.priceSpecification).filter(
    (one) =>
      !notSold.test(toText(one.priceType) ?? "") &&
      one.validForMemberTier === undefined &&
      one.referenceQuantity === undefined,
  );
  const reduced = specified.filter(({ priceType }) => /SalePrice/i.test(toText(priceType) ?? ""));
  const prices = [
    ...reduced.map(({ price }) => price),
    offer.price,
    ...specified.map(({ price }) => price),
    offer.lowPrice,
  ];
  return prices.map(toText).find((price) => price !== undefined && price.trim() !== "");
}

function isSamePage(address: string, url: string): boolean {
  if (!URL.canParse(address, url) || !URL.canParse(url)) return false;
  const [one, other] = [new URL(address, url), new URL(url)];
  return one.host === other.host && one.pathname.replace(/\/$/, "") === other.pathname.replace(/\/$/, "");
}
