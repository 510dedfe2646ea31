import { markOutsideContent } from "../boilerplate/mark-outside-content.ts";
import { excerptDifference, MAX_IGNORED_SHOWN } from "../change-summaries/excerpt-difference.ts";
import { quoteStart } from "../change-summaries/quote.ts";
import type { ContentComparison } from "../file-formats/compare-content.ts";
import { isPasteScam } from "../hacked-pages/paste-scam.ts";
import { canonicalHtml } from "../html-formatting/canonical-html.ts";
import { addLiveText, extractPage } from "../html-parsing/extract-page.ts";
import { markChosen, markRendered } from "../html-parsing/mark-rendered.ts";
import type { Block, Link, Page, Script } from "../html-parsing/page.ts";
import { type HtmlNode, parseHtml } from "../html-parsing/parse-html.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { asksPassword, passwordItem } from "../links-and-forms/compare-forms.ts";
import { memoizeByObject } from "../memoize.ts";
import { isDefacement, isOutage } from "../noise/mask-text.ts";
import { idOf } from "../noise-memory/feedback.ts";
import { learn, learnPairNoise } from "../noise-memory/learned-noise.ts";
import { explainNoise, type NoiseMemory, recallFeedback } from "../noise-memory/noise-memory.ts";
import { type Observation } from "../noise-memory/observation.ts";
import { onRulesSwitched } from "../noise-rules/noise-rule.ts";
import { changedContents } from "../scripts/compare-loaded.ts";
import { containersIn } from "../scripts/compare-scripts.ts";
import { addressesIn, scriptShape } from "../scripts/scripts.ts";
import { isDecisive, isMild, type Severity, severityOf } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { observe, type TextChange, type TextComparison } from "../text/compare-text.ts";
import { compareVisibleText } from "../text/compare-visible-text.ts";
import { markLarge } from "../text/mark-large.ts";
import { textReasons } from "../text/text-reasons.ts";
import { hostItem, hostOf, registrable } from "../third-party-hosts/hosts.ts";
import type { Ignored, Reason } from "../verdict/verdict.ts";
import { collectReportedValues, compareStructure, splitRequested } from "./compare-structure.ts";
import { listRemainingMarkup } from "./list-remaining-markup.ts";
import { judgeStructure, observeStructure } from "./structure-reasons.ts";

type Html = Pick<
  Snapshot,
  | "html"
  | "url"
  | "finalUrl"
  | "text"
  | "scripts"
  | "thirdPartyHosts"
  | "via"
  | "headers"
  | "rendered"
  | "chosen"
>;

/** Compares two pages using the noise memory; returns what is news, what is noise, and the updated memory. */
export function compareHtml(before: Html, after: Html, memory: NoiseMemory): ContentComparison {
  const [older, newer] = readPages(before, after);
  const text = compareVisibleText(older, newer);
  const structure = compareStructure(older, newer, memory);
  const judged = new Set(
    [...text.changes, ...text.masked].flatMap((change) => [change.before, change.after]),
  );
  const [oldPrint, newPrint] = [print(before), print(after)];
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

/** Reads both pages in the same way: rendering data that only one capture has can't prove a difference. */
function readPages(one: Html, other: Html): [Page, Page] {
  const read = parse(one).isRendered && parse(other).isRendered ? readRendered : readUnrendered;
  // Comparing overwrites the keys of the blocks, so each comparison gets its own copies.
  const copyBlocks = (page: Page): Page => ({ ...page, blocks: page.blocks.map((block) => ({ ...block })) });
  return [copyBlocks(read(one)), copyBlocks(read(other))];
}

const parse = memoizeByObject(({ html, rendered, chosen }: Html) => {
  const nodes = parseHtml(html);
  markChosen(nodes, chosen);
  return { nodes, isRendered: markRendered(nodes, rendered) };
});
const readRendered = memoizeByObject((html: Html) => readPage(html, parse(html).nodes, true));
const readUnrendered = memoizeByObject((html: Html) => readPage(html, parse(html).nodes, false));
onRulesSwitched(() => {
  readRendered.forget();
  readUnrendered.forget();
});
const print = memoizeByObject((html: Html) => canonicalHtml(html.html, parse(html).nodes));

function readPage(
  { html, url, finalUrl, text, scripts, thirdPartyHosts, via, headers }: Html,
  nodes: HtmlNode[],
  isRendered: boolean,
): Page {
  const page = extractPage(html, finalUrl || url, nodes, isRendered);
  const respondedAt = Date.parse(headers.find(([name]) => name === "date")?.[1] ?? "");
  if (!Number.isNaN(respondedAt)) page.now = respondedAt;
  addLiveText(page, text);
  if (via === "browser") page.loaded = { scripts, hosts: thirdPartyHosts };
  return page;
}

function ignoredText({ before, after }: TextChange): Omit<Ignored, "why"> {
  const [old, now] = excerptDifference(before?.text ?? null, after?.text ?? null, MAX_IGNORED_SHOWN);
  return { place: (after ?? before)?.place ?? "", before: old, after: now };
}

/** Lists what may come back without being new: hosts that pages load from or link to, shapes of scripts. */
function listItems(...pages: Page[]): string[] {
  const items = new Set<string>();
  for (const page of pages) {
    for (const item of scriptItems(page.scripts)) items.add(item);
    for (const { src } of page.loaded?.scripts ?? []) if (src) items.add(hostItem("script", src));
    for (const host of page.loaded?.hosts ?? []) items.add(`host ${registrable(host)}`);
    for (const style of page.styles) items.add(hostItem("style", style));
    for (const frame of page.frames) items.add(hostItem("frame", frame.src));
    for (const item of linkItems(page.links)) items.add(item);
    for (const form of page.forms) {
      if (hostOf(form.action) !== "") items.add(hostItem("form", form.action));
      if (asksPassword(form)) items.add(passwordItem(form));
    }
  }
  return [...items];
}

const scriptItems = memoizeByObject((scripts: Script[]) => {
  const items = new Set<string>();
  for (const { src, code, type } of scripts) {
    for (const container of containersIn(src ?? code)) items.add(`container ${container}`);
    if (src) items.add(hostItem("script", src));
    else if (type === "") {
      items.add(`inline ${scriptShape(code)}`);
      for (const address of addressesIn(code)) items.add(hostItem("inline", address));
    }
  }
  return items;
});

const linkItems = memoizeByObject(
  (links: Link[]) => new Set(links.map(({ href }) => hostItem("link", href))),
);

// A page that loses less text than this share at once, or fewer pieces, is taken for edited.
const MIN_LOST = 0.2;
const MIN_LOST_PIECES = 5;

/**
 * Whether all that is news is text that is gone, much of it or whole regions: the page may not have loaded completely.
 */
function lostParts(
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
function judgeWholePage(
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
