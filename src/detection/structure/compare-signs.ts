import { diffLines } from "../diff-lines.ts";
import { maskText } from "../noise/mask-text.ts";
import { isFrame } from "../noise/text-key.ts";
import { maskTokens } from "../noise/tokens.ts";
import type { Page, Sign } from "../page.ts";
import type { ReasonKind, Severity } from "../verdict.ts";
import type { StructureComparison } from "./structure-change.ts";
import { structuredData } from "./structured-data.ts";

// Of what a page tells machines, this is what people decide by.
const telling =
  /^(?:price|lowPrice|highPrice|priceCurrency|availability|availabilityStarts|availabilityEnds|startDate|endDate|eventStatus|validFrom|validThrough|applicationDeadline|datePosted|datePublished|dateModified|softwareVersion)$/;

/** Finds what changed in a page for a shopper or a screen reader without a word changing. */
export function compareSigns(older: Page, newer: Page, found: StructureComparison): void {
  const [old, now] = [signsOf(older), signsOf(newer)];
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(old.map(keyOf), now.map(keyOf))) {
    const removed = old.slice(oldStart, oldStart + oldCount);
    for (const [before, after] of pairs(removed, now.slice(newStart, newStart + newCount))) {
      if (valueOf(before) === valueOf(after)) continue;
      if (isStamp(before, older.now) && isStamp(after, newer.now)) list(before, after, found);
      else tell(before, after, found);
    }
  }
}

function signsOf(page: Page): Sign[] {
  return [...page.signs, ...structuredData(page)].filter(
    ({ what, name }) => what !== "data" || telling.test(name),
  );
}

const DAY = 86_400_000;

/** Whether a page tells machines that it is from just when it was sent: it says so each time, whatever it holds. */
function isStamp({ what, name, value }: Sign, sent: number | null): boolean {
  if (what !== "data" || sent === null || !/^date(?:Modified|Published)$/.test(name)) return false;
  return Math.abs(Date.parse(value) - sent) < DAY;
}

function list({ place, name, value }: Sign, after: Sign, { ignored }: StructureComparison): void {
  ignored.push({ place: `${place} ${name}`, before: value, after: after.value, why: "time" });
}

/** The same thing before and after: what is said of the same name, in the same order. */
function* pairs(removed: Sign[], added: Sign[]): Generator<[Sign, Sign]> {
  const waiting = Map.groupBy(added, nameOf);
  for (const before of removed) {
    const after = waiting.get(nameOf(before))?.shift();
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
  value: ["control", "fields hold other values"],
  label: ["label", "texts for screen readers changed"],
  data: ["data", "values changed in what the page tells machines"],
};

function tell(before: Sign, after: Sign, found: StructureComparison): void {
  const [kind, together] = kinds[after.what];
  const { area: where, place } = after;
  found.changes.push({
    kind,
    severity: severityOf(after),
    summary: summaryOf(before, after),
    where,
    place: `${place} ${after.name}`.slice(0, 120),
    together,
    before: before.value,
    after: after.value,
  });
}

/** Around the content, and where nobody sees it, controls and labels change with whoever looks. */
function severityOf({ what, zone, area, hidden }: Sign): Severity {
  if (what === "data") return "notice";
  return zone !== "" || isFrame(area) || hidden !== "" ? "info" : "notice";
}

function summaryOf(before: Sign, after: Sign): string {
  const name = after.name === "" ? "" : `“${after.name.slice(0, 60)}”`;
  const value = after.value.slice(0, 80);
  if (after.what === "label") return `Screen readers now say “${value}”`;
  if (after.what === "value") return `Field ${name} now holds “${value}”`;
  if (after.what === "data") {
    const of = after.of ? ` of ${after.of.slice(0, 60)}` : "";
    return `${after.name}${of} is now ${value}, was ${before.value.slice(0, 80)}`;
  }
  return value === "" ? `${name} is no longer ${before.value}` : `${name} is now ${value}`;
}
