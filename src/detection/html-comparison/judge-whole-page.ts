import { quoteStart } from "../change-summaries/quote.ts";
import { isPasteScam } from "../hacked-pages/paste-scam.ts";
import type { Block, Page } from "../html-parsing/page.ts";
import { isDefacement, isOutage } from "../noise/mask-text.ts";
import { idOf } from "../noise-memory/feedback.ts";
import type { NoiseMemory } from "../noise-memory/noise-memory.ts";
import type { Observation } from "../noise-memory/observation.ts";
import { isDecisive, type Severity, severityOf } from "../severity/severity.ts";
import type { TextChange, TextComparison } from "../text/compare-text.ts";
import type { Reason } from "../verdict/verdict.ts";

// A page that loses less text than this share at once, or fewer pieces, is taken for edited.
const MIN_LOST = 0.2;
const MIN_LOST_PIECES = 5;

/**
 * Whether all that is news is text that is gone, much of it or whole regions: the page may not have loaded completely.
 */
export function lostParts(
  older: Page,
  newer: Page,
  news: TextChange[],
  reasons: Reason[],
  memory: NoiseMemory,
): boolean {
  if (news.length < MIN_LOST_PIECES || news.some(({ after }) => after !== null)) return false;
  const isLossOnly = ({ kind, changes }: Reason) =>
    kind === "defacement" || kind === "outage" || changes.every(({ after }) => after === null);
  if (!reasons.filter(isDecisive).every(isLossOnly)) return false;
  if (reasons.some(({ kind }) => kind === "defacement") && memory.captures === 0) return false;
  const lost = news.flatMap(({ before }) => before ?? []);
  return sizeOf(lost) >= MIN_LOST * sizeOf(older.blocks) || areWholeRegions(lost, newer);
}

/** Whether all lost text was in landmarks (a header, a footer, a menu) of which nothing is left. */
function areWholeRegions(lost: Block[], { blocks }: Page): boolean {
  const left = new Set(blocks.map(({ area }) => area));
  return lost.every(({ area }) => area !== "" && !left.has(area));
}

type WholePageChange = { reason: Reason; seen: Observation };

// Characters of a replacement page that are enough to recognize it.
const MAX_WHOLE = 2000;

/** Describes what happened to the page as a whole, if that says more than its single changes. */
export function judgeWholePage(
  older: Page,
  newer: Page,
  { standing, left, changes }: TextComparison,
): WholePageChange | null {
  const oldSize = sizeOf(older.blocks);
  const newText = newer.blocks.map((block) => block.text).join("\n");
  const describe = (kind: Reason["kind"], severity: Severity, summary: string): WholePageChange => {
    const after = `${newer.title}\n${newText}`.slice(0, MAX_WHOLE);
    const seen = { place: "whole page", before: older.title, after, frame: false };
    const change = { id: idOf(seen), where: "", before: older.title, after: newer.title };
    return { seen, reason: { kind, severity, summary, changes: [change], count: 1 } };
  };
  const phrase = [newer.title, ...changes.map((change) => change.after?.text ?? "")].find(isDefacement);
  const oldText = [older.title, ...older.blocks.map((block) => block.text)].join("\n");
  if (phrase !== undefined && !isDefacement(oldText)) {
    return describe("defacement", severityOf.defacement, `Looks defaced: ${quoteStart(phrase, 80)}`);
  }
  // What a paste scam asks for says more than how little of the page is left.
  if (isPasteScam(newText) && !isPasteScam(oldText)) return null;
  // A page that only grew is still there, however small its share of the new page is.
  if (standing > 0.3 || left > 0.3 || oldSize < 300) return null;
  if (newText.length < 4000 && (isOutage(`${newer.title}\n${newText}`) || newText.trim() === "")) {
    return describe(
      "outage",
      severityOf.pageReplacedByError,
      `Page replaced by an error or a challenge: ${quoteStart(newer.title || newText, 80)}`,
    );
  }
  if (standing < 0.1)
    return describe("defacement", severityOf.pageAlmostGone, "Almost nothing of the page is left");
  return null;
}

function sizeOf(blocks: Block[]): number {
  let size = 0;
  for (const block of blocks) size += block.text.length;
  return size;
}
