import { isOutsideContent } from "../boilerplate/is-boilerplate.ts";
import { quoteStart } from "../change-summaries/quote.ts";
import type { StructureComparison, StructureContext } from "../html-comparison/structure-change.ts";
import type { Page, Sign } from "../html-parsing/page.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { maskTokens } from "../noise/tokens.ts";
import { maskText } from "../noise-rules/mask-rules.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import type { ReasonKind } from "../verdict/verdict.ts";
import { structuredData } from "./structured-data.ts";

// Structured data that people base decisions on.
const decisive =
  /^(?:price|lowPrice|highPrice|priceCurrency|availability|availabilityStarts|availabilityEnds|startDate|endDate|eventStatus|validFrom|validThrough|applicationDeadline|datePosted|datePublished|dateModified|softwareVersion)$/;

/** Finds what changed for a shopper or a screen reader although no word of the text changed. */
export function compareSigns({ older, newer, found }: StructureContext): void {
  const [old, now] = [signsOf(older), signsOf(newer)];
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(old.map(keyOf), now.map(keyOf))) {
    const removed = old.slice(oldStart, oldStart + oldCount);
    for (const [before, after] of pairByName(removed, now.slice(newStart, newStart + newCount))) {
      if (valueOf(before) === valueOf(after)) continue;
      report(before, after, found);
    }
  }
}

function signsOf(page: Page): Sign[] {
  return [...page.signs, ...structuredData(page)].filter(
    ({ what, name }) => what !== "data" || decisive.test(name),
  );
}

/** Pairs removed and added signs of the same name, in order. */
function* pairByName(removed: Sign[], added: Sign[]): Generator<[Sign, Sign]> {
  const addedByName = Map.groupBy(added, nameOf);
  for (const before of removed) {
    const after = addedByName.get(nameOf(before))?.shift();
    if (after) yield [before, after];
  }
}

function nameOf({ what, name, of, place }: Sign): string {
  return what === "state" || what === "value" ? `${what} ${name}` : `${what} ${name} ${of ?? place}`;
}

function keyOf(sign: Sign): string {
  return `${nameOf(sign)} ${valueOf(sign)}`;
}

function valueOf({ what, name, value }: Sign): string {
  if (what === "state") return value;
  if (what !== "data") return maskTokens(maskText(value));
  if (/price$/i.test(name) && Number.isFinite(Number(value))) return String(Number(value));
  return value.replace(/^https?:\/\/schema\.org\//i, "").toLowerCase();
}

const kinds: Record<Sign["what"], [ReasonKind, string]> = {
  state: ["control", "controls changed"],
  value: ["control", "fields have new values"],
  label: ["label", "texts for screen readers changed"],
  data: ["data", "values changed in structured data and metadata"],
};

function report(before: Sign, after: Sign, found: StructureComparison): void {
  const [kind, together] = kinds[after.what];
  const { area: where, place } = after;
  found.changes.push({
    kind,
    severity: judgeSeverity(after),
    summary: summaryOf(before, after),
    where,
    place: `${place} ${after.name}`.slice(0, 120),
    together,
    ...(after.what === "data" && after.name.startsWith("date") ? { quiet: true as const } : {}),
    before: before.value,
    after: after.value,
  });
}

/** In boilerplate and in hidden parts, controls and labels depend on the visitor. */
function judgeSeverity(sign: Sign): Severity {
  if (sign.what === "data") return severityOf.structuredDataChanged;
  const isOutside = isOutsideContent(sign) || sign.hidden !== "";
  return isOutside ? severityOf.controlOrLabelOutsideContentChanged : severityOf.controlOrLabelChanged;
}

/** A value of the schema.org vocabulary in words: https://schema.org/OutOfStock is "out of stock". */
function toWords(value: string): string {
  const term = /^https?:\/\/schema\.org\/(\w+)$/i.exec(value.trim())?.[1];
  const words = term?.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words ?? value.slice(0, 80);
}

function summaryOf(before: Sign, after: Sign): string {
  const name = after.name === "" ? "" : quoteStart(after.name, 60);
  const value = after.value.slice(0, 80);
  if (after.what === "label") return `Screen readers now say “${value}”`;
  if (after.what === "value") {
    const field = name === "" ? "A field" : `Field ${name}`;
    return value === "" ? `${field} is now empty` : `${field} now holds “${value}”`;
  }
  if (after.what === "data") {
    const subject = after.of ? ` of ${after.of.slice(0, 60)}` : "";
    return `${after.name}${subject} is now ${toWords(after.value)}, was ${toWords(before.value)}`;
  }
  return value === "" ? `${name} is no longer ${before.value}` : `${name} is now ${value}`;
}
