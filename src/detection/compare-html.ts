import { canonicalHtml } from "./canonical-html.ts";
import type { ContentComparison } from "./compare-content.ts";
import { compareSight } from "./compare-sight.ts";
import {
  changedContents,
  compareStructure,
  containersIn,
  listRest,
  type Printed,
  type StructureChange,
  splitWanted,
  spokenOf,
} from "./compare-structure.ts";
import { observe, type TextChange, type TextComparison } from "./compare-text.ts";
import { diffLines, type LineHunk } from "./diff-lines.ts";
import { addLiveText, extractPage } from "./extract-page.ts";
import { markChosen, markRendered } from "./html/mark-rendered.ts";
import { type HtmlNode, parseHtml } from "./html/parse-html.ts";
import { inSight, MAX_IGNORED_SHOWN } from "./in-sight.ts";
import { isLure } from "./lure.ts";
import { asListed } from "./noise/as-listed.ts";
import { hostItem, registrable } from "./noise/hosts.ts";
import { isWanted } from "./noise/is-wanted.ts";
import { isDefacement, isOutage } from "./noise/mask-text.ts";
import { idOf } from "./noise/said.ts";
import { addressesIn, scriptShape } from "./noise/scripts.ts";
import {
  learn,
  learnFromTwin,
  type NoiseMemory,
  type Observation,
  recall,
  recallSaid,
} from "./noise-memory.ts";
import { onceFor } from "./once-for.ts";
import type { Block, Link, Page, Script } from "./page.ts";
import type { Snapshot } from "./snapshot.ts";
import { judgeStructure, observeStructure } from "./structure-reasons.ts";
import { textReasons } from "./text-reasons.ts";
import type { Hunk, Ignored, Reason, Severity } from "./verdict.ts";

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

/** Compares two pages with what was learned of them; says what is news, what is noise, and what was learned. */
export function compareHtml(before: Html, after: Html, memory: NoiseMemory): ContentComparison {
  const [older, newer] = readPages(before, after);
  const text = compareSight(older, newer);
  const structure = compareStructure(older, newer, memory);
  const isForeign = text.switched || speaksOtherwise(older, newer, text);
  const isVisitors = ({ kind }: StructureChange) => kind === "title" && isForeign;
  const { reasons, ignored, told, ...judged } = judgeStructure(
    structure.changes.filter((change) => !isVisitors(change)),
    memory,
  );
  for (const { where, before: old, after: now } of structure.changes.filter(isVisitors)) {
    ignored.push({ place: `title ${where}`, before: old, after: now, why: "visitor" });
  }
  ignored.unshift(...structure.ignored);
  const news = judgeChanges(text, memory, ignored);
  const printed = printBoth([before, older], [after, newer], text);
  const rest = listRest(...printed.sides, printed.lines, spokenOf(structure));
  const { wanted, unwanted } = splitWanted(rest, memory);
  ignored.push(...unwanted);
  const asked = judgeStructure(wanted, memory);
  const whole = wholePage(older, newer, text);
  const said = whole && recallSaid(memory, whole.seen, true);
  if (said) {
    const { place } = whole.seen;
    ignored.push({ place, before: older.title, after: newer.title, ...asListed(said) });
  }
  const wholeNews = said ? null : whole;
  const hunks = printed.hunks;
  const compared: ContentComparison = {
    reasons: [
      ...(wholeNews ? [wholeNews.reason] : []),
      ...reasons,
      ...asked.reasons,
      ...textReasons(news, memory, Math.max(text.standing, text.left), newer.blocks),
    ],
    news: [...(wholeNews ? [wholeNews.seen] : []), ...judged.news, ...asked.news, ...news.map(observe)],
    told: [...told, ...news.map(observe)],
    ignored,
    hunks,
    similarity: Math.round(text.standing * 1000) / 10,
    memory,
  };
  // An error page teaches nothing about the page it stands in for.
  if (whole?.reason.kind === "outage") return { ...compared, told: [] };
  // When most of the page is another one, nothing changed alone.
  const isOther = text.standing < 0.5;
  const observations = isOther
    ? []
    : [
        ...text.changes.filter(isAlone).map(observe),
        ...structure.changes.filter(isNews).map(observeStructure),
        ...changedContents(older, newer),
      ];
  return {
    ...compared,
    told: isOther ? [] : compared.told,
    memory: learn(memory, observations, itemsOf(older, newer), structure.alarmed),
  };
}

/** The changes that are news; what is noise is listed with its reason. */
function judgeChanges(
  { changes, masked }: TextComparison,
  memory: NoiseMemory,
  ignored: Ignored[],
): TextChange[] {
  const news: TextChange[] = [];
  for (const change of [...changes, ...masked]) {
    const seen = observe(change);
    const isAsked = change.noise !== null && isWanted(memory.kept, seen.place, change.noise);
    // What moved is told once, where it stands now.
    const byShape = isAsked && !(change.moved && change.after === null) ? null : change.noise;
    const why = byShape ? { why: byShape } : recall(memory, seen);
    if (why === null) news.push(change);
    else ignored.push({ ...ignoredText(change), ...asListed(why) });
  }
  return news;
}

/** Whether the page says that its language is another, and its text stands as it was. */
function speaksOtherwise(older: Page, newer: Page, { changes }: TextComparison): boolean {
  const [old, now] = [older, newer].map(({ nodes }) => {
    const lang = nodes.find(({ tag }) => tag === "html")?.attributes.lang;
    return lang?.toLowerCase().split("-", 1)[0] ?? "";
  });
  return old !== "" && now !== "" && old !== now && changes.every(({ noise }) => noise !== null);
}

function isNews({ severity }: StructureChange): boolean {
  return severity !== "info";
}

function isAlone({ moved, noise }: TextChange): boolean {
  return !moved && noise !== "markup";
}

/** What differs between two captures of one moment is noise: the first lesson. */
export function learnHtmlTwin(first: Html, second: Html, memory: NoiseMemory, at?: string): NoiseMemory {
  const [older, newer] = readPages(first, second);
  const isFirst = memory.captures === 0;
  const observations = compareSight(older, newer)
    .changes.filter((change) => !change.moved)
    .map(observe);
  observations.push(...changedContents(older, newer));
  for (const change of compareStructure(older, newer, memory).changes) {
    // Hosts of scripts and frames are items, known by their own names.
    const isItem = change.kind === "script" || change.kind === "frame";
    if (!isItem && isNews(change) && (isFirst || change.severity === "notice"))
      observations.push(observeStructure(change));
  }
  // What both show is no noise but maybe the very news that a second look confirms.
  const [one, other] = [new Set(itemsOf(older)), new Set(itemsOf(newer))];
  const flickering = [...one.symmetricDifference(other)];
  // Later on, what only one of two captures runs may also be an attack on some visitors: it must come back first.
  const { sure = [], doubtful = [] } = Object.groupBy(flickering, (item) =>
    isFirst || item.startsWith("host ") ? "sure" : "doubtful",
  );
  return learnFromTwin(memory, observations, sure, doubtful, at);
}

/** Two pages read alike: what only one browser said of its page says nothing of a difference. */
function readPages(one: Html, other: Html): [Page, Page] {
  const read = parse(one).isRendered && parse(other).isRendered ? readSeen : readUnseen;
  // Comparing gives the pieces of both pages common keys.
  const ownPieces = (page: Page): Page => ({ ...page, blocks: page.blocks.map((block) => ({ ...block })) });
  return [ownPieces(read(one)), ownPieces(read(other))];
}

const parse = onceFor(({ html, rendered, chosen }: Html) => {
  const nodes = parseHtml(html);
  markChosen(nodes, chosen);
  return { nodes, isRendered: markRendered(nodes, rendered) };
});
const readSeen = onceFor((html: Html) => readPage(html, parse(html).nodes, true));
const readUnseen = onceFor((html: Html) => readPage(html, parse(html).nodes, false));
const print = onceFor((html: Html) => canonicalHtml(html.html, parse(html).nodes));

function readPage(
  { html, url, finalUrl, text, scripts, thirdPartyHosts, via, headers }: Html,
  nodes: HtmlNode[],
  isRendered: boolean,
): Page {
  const page = extractPage(html, finalUrl || url, nodes, isRendered);
  const answered = Date.parse(headers.find(([name]) => name === "date")?.[1] ?? "");
  if (!Number.isNaN(answered)) page.now = answered;
  addLiveText(page, text);
  if (via === "browser") page.loaded = { scripts, hosts: thirdPartyHosts };
  return page;
}

function ignoredText({ before, after }: TextChange): Omit<Ignored, "why"> {
  const [old, now] = inSight(before?.text ?? null, after?.text ?? null, MAX_IGNORED_SHOWN);
  return { place: (after ?? before)?.place ?? "", before: old, after: now };
}

/** What else may come back without being new: hosts a page loads from or links to, shapes of its scripts. */
function itemsOf(...pages: Page[]): string[] {
  const items = new Set<string>();
  for (const page of pages) {
    for (const item of scriptItems(page.scripts)) items.add(item);
    for (const { src } of page.loaded?.scripts ?? []) if (src) items.add(hostItem("script", src));
    for (const host of page.loaded?.hosts ?? []) items.add(`host ${registrable(host)}`);
    for (const style of page.styles) items.add(hostItem("style", style));
    for (const frame of page.frames) items.add(hostItem("frame", frame.src));
    for (const item of linkItems(page.links)) items.add(item);
  }
  return [...items];
}

const scriptItems = onceFor((scripts: Script[]) => {
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

const linkItems = onceFor((links: Link[]) => new Set(links.map(({ href }) => hostItem("link", href))));

type Whole = { reason: Reason; seen: Observation };

// Enough of another page to know it again.
const MAX_WHOLE = 2000;

/** What became of the page as a whole, where that says more than its parts. */
function wholePage(older: Page, newer: Page, { standing, left, changes }: TextComparison): Whole | null {
  const oldSize = sizeOf(older.blocks);
  const newText = newer.blocks.map((block) => block.text).join("\n");
  const one = (kind: Reason["kind"], severity: Severity, summary: string): Whole => {
    const after = `${newer.title}\n${newText}`.slice(0, MAX_WHOLE);
    const seen = { place: "whole page", before: older.title, after, frame: false };
    const change = { id: idOf(seen), where: "", before: older.title, after: newer.title };
    return { seen, reason: { kind, severity, summary, changes: [change], count: 1 } };
  };
  const phrase = [newer.title, ...changes.map((change) => change.after?.text ?? "")].find(isDefacement);
  const oldText = [older.title, ...older.blocks.map((block) => block.text)].join("\n");
  if (phrase !== undefined && !isDefacement(oldText)) {
    return one("defacement", "critical", `Looks defaced: “${phrase.slice(0, 80)}”`);
  }
  // What it asks for says more than how little of the page is left.
  if (isLure(newText) && !isLure(oldText)) return null;
  // A page that only grew is still there, however little of the new one it is.
  if (standing > 0.3 || left > 0.3 || oldSize < 300) return null;
  if (newText.length < 4000 && (isOutage(`${newer.title}\n${newText}`) || newText.trim() === "")) {
    return one(
      "outage",
      "important",
      `Page replaced by an error or a challenge: “${(newer.title || newText).slice(0, 80)}”`,
    );
  }
  if (standing < 0.1) return one("defacement", "critical", "Almost nothing of the page is left");
  return null;
}

function sizeOf(blocks: Block[]): number {
  let size = 0;
  for (const block of blocks) size += block.text.length;
  return size;
}

/** Both pages line by line, and where the lines differ. */
function printBoth(
  [before, older]: [Html, Page],
  [after, newer]: [Html, Page],
  { changes, masked }: TextComparison,
): { sides: [Printed, Printed]; lines: LineHunk[]; hunks: Hunk[] } {
  const [oldPrint, newPrint] = [print(before), print(after)];
  const lines = diffLines(oldPrint.lines, newPrint.lines);
  const judged = (side: "before" | "after") =>
    new Set([...changes, ...masked].map((change) => change[side]).filter((block) => block !== null));
  return {
    sides: [
      { page: older, print: oldPrint, judged: judged("before") },
      { page: newer, print: newPrint, judged: judged("after") },
    ],
    lines,
    hunks: lines.map(({ oldStart, oldCount, newStart, newCount }) => ({
      oldStart,
      newStart,
      removed: oldPrint.lines.slice(oldStart, oldStart + oldCount),
      added: newPrint.lines.slice(newStart, newStart + newCount),
    })),
  };
}
