import { markOutsideContent } from "../boilerplate/mark-outside-content.ts";
import { excerptDifference, MAX_IGNORED_SHOWN } from "../change-summaries/excerpt-difference.ts";
import type { ContentComparison } from "../file-formats/compare-content.ts";
import type { Block, Page } from "../html-parsing/page.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { learn, learnPairNoise } from "../noise-memory/learned-noise.ts";
import { explainNoise, type NoiseMemory, recallFeedback } from "../noise-memory/noise-memory.ts";
import { changedContents } from "../scripts/compare-loaded.ts";
import { isDecisive, isMild } from "../severity/severity.ts";
import { observe, type TextChange, type TextComparison } from "../text/compare-text.ts";
import { compareVisibleText } from "../text/compare-visible-text.ts";
import { markLarge } from "../text/mark-large.ts";
import { textReasons } from "../text/text-reasons.ts";
import type { Ignored } from "../verdict/verdict.ts";
import { collectReportedValues, compareStructure, splitRequested } from "./compare-structure.ts";
import { judgeWholePage, lostParts } from "./judge-whole-page.ts";
import { listItems } from "./list-items.ts";
import { listRemainingMarkup } from "./list-remaining-markup.ts";
import { type Html, printPage, readPages } from "./read-pages.ts";
import { judgeStructure, observeStructure } from "./structure-reasons.ts";

/** Compares two pages using the noise memory; returns what is news, what is noise, and the updated memory. */
export function compareHtml(before: Html, after: Html, memory: NoiseMemory): ContentComparison {
  const [older, newer] = readPages(before, after);
  const text = compareVisibleText(older, newer);
  const structure = compareStructure(older, newer, memory);
  const judged = new Set(
    [...text.changes, ...text.masked].flatMap((change) => [change.before, change.after]),
  );
  const [oldPrint, newPrint] = [printPage(before), printPage(after)];
  const lines = diffLines(oldPrint.lines, newPrint.lines);
  const sides = [
    { page: older, print: oldPrint, judged },
    { page: newer, print: newPrint, judged },
  ] as const;
  const rest = listRemainingMarkup(...sides, lines, collectReportedValues(structure));
  const { wanted, unwanted } = splitRequested(rest, memory);
  const behindText = judgeStructure([...structure.changes, ...wanted], memory);
  const ignored = [...structure.ignored, ...behindText.ignored];
  markByModel(text, older, newer, memory);
  const news = judgeChanges(text, memory, ignored);
  ignored.push(...unwanted);
  markLarge(news);
  const observed = news.map(observe);
  const whole = judgeWholePage(older, newer, text);
  const feedback = whole && recallFeedback(memory, whole.seen, true);
  if (feedback)
    ignored.push({ place: whole.seen.place, before: older.title, after: newer.title, ...feedback });
  const wholeNews = whole && !feedback ? [whole] : [];
  const compared: ContentComparison = {
    reasons: [
      ...wholeNews.map(({ reason }) => reason),
      ...behindText.reasons,
      ...textReasons(news, memory, Math.max(text.standing, text.left), older, newer),
    ],
    news: [...wholeNews.map(({ seen }) => seen), ...behindText.news, ...observed],
    reported: [...behindText.reported, ...observed],
    ignored,
    hunks: lines.map(({ oldStart, oldCount, newStart, newCount }) => ({
      oldStart,
      newStart,
      removed: oldPrint.lines.slice(oldStart, oldStart + oldCount),
      added: newPrint.lines.slice(newStart, newStart + newCount),
    })),
    similarity: Math.round(text.standing * 1000) / 10,
    memory,
  };
  const isPartial = lostParts(older, newer, news, compared.reasons, memory);
  // An error page teaches nothing about the page that it replaces.
  if (whole?.reason.kind === "outage") return { ...compared, reported: [], isPartial };
  // When most of the page was replaced, its single differences teach nothing.
  const isReplaced = text.standing < 0.5;
  const observations = isReplaced
    ? []
    : [
        ...text.changes.filter(isLearnable).map(observe),
        ...structure.changes.filter(isDecisive).map(observeStructure),
        ...changedContents(older, newer),
      ];
  return {
    ...compared,
    reported: isReplaced ? [] : compared.reported,
    turned: compared.reported,
    isPartial,
    memory: learn(memory, observations, listItems(older, newer), structure.alarmed),
  };
}

/**
 * Marks what differs under no landmark and isn't content, on pages that don't mark their content. It only matters for
 * links, which may be labels, and for locations that were reported before.
 */
function markByModel(
  { changes }: TextComparison,
  older: Page,
  newer: Page,
  memory: Pick<NoiseMemory, "told">,
): void {
  const matters = (block: Block | null) =>
    block !== null && (block.links > 0.8 || Object.hasOwn(memory.told, block.place));
  const news = changes.filter(
    ({ noise, before, after }) => noise === null && (matters(before) || matters(after)),
  );
  const [removed, added] = [
    news.flatMap(({ before }) => before ?? []),
    news.flatMap(({ after }) => after ?? []),
  ];
  markOutsideContent(older, removed);
  markOutsideContent(newer, added);
}

/** Returns the changes that are news; adds the others to `ignored`, each with its reason. */
function judgeChanges(
  { changes, masked }: TextComparison,
  memory: NoiseMemory,
  ignored: Ignored[],
): TextChange[] {
  const news: TextChange[] = [];
  for (const change of [...changes, ...masked]) {
    const seen = observe(change);
    // A moved piece is reported once, at its new location.
    const isGoneElsewhere = change.moved && change.after === null;
    const why =
      isGoneElsewhere && change.noise ? { why: change.noise } : explainNoise(memory, seen, change.noise);
    if (why === null) news.push(change);
    else ignored.push({ ...ignoredText(change), ...why });
  }
  return news;
}

function isLearnable({ moved, noise }: TextChange): boolean {
  return !moved && noise !== "markup";
}

/** Learns from a capture and its confirmation: whatever differs between them is noise. */
export function learnHtmlPair(first: Html, second: Html, memory: NoiseMemory, at?: string): NoiseMemory {
  const [older, newer] = readPages(first, second);
  const isFirstPair = memory.captures === 0;
  const observations = compareVisibleText(older, newer)
    .changes.filter((change) => !change.moved)
    .map(observe);
  observations.push(...changedContents(older, newer));
  for (const change of compareStructure(older, newer, memory).changes) {
    // Hosts of scripts and frames are learned as items, by their own names.
    const isItem = change.kind === "script" || change.kind === "frame";
    if (!isItem && isDecisive(change) && (isFirstPair || isMild(change)))
      observations.push(observeStructure(change));
  }
  // What both captures show isn't noise; it may be the very change that the confirmation is about.
  const [firstItems, secondItems] = [new Set(listItems(older)), new Set(listItems(newer))];
  const flickering = [...firstItems.symmetricDifference(secondItems)];
  // After the first pair, code that only one of the two captures runs may be an attack on some visitors: it counts
  // as noise only once it comes back.
  const { sure = [], doubtful = [] } = Object.groupBy(flickering, (item) =>
    isFirstPair || item.startsWith("host ") ? "sure" : "doubtful",
  );
  return learnPairNoise(memory, observations, sure, doubtful, at);
}

function ignoredText({ before, after }: TextChange): Omit<Ignored, "why"> {
  const [old, now] = excerptDifference(before?.text ?? null, after?.text ?? null, MAX_IGNORED_SHOWN);
  return { place: (after ?? before)?.place ?? "", before: old, after: now };
}
