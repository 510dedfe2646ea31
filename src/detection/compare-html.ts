import { canonicalHtml } from "./canonical-html.ts";
import type { ContentComparison } from "./compare-content.ts";
import { changedContents, compareStructure, type StructureChange } from "./compare-structure.ts";
import { compareText, inFrame, type TextChange, type TextComparison } from "./compare-text.ts";
import { diffLines } from "./diff-lines.ts";
import { addLiveText, type Block, extractPage, type Page } from "./extract-page.ts";
import { parseHtml } from "./html/parse-html.ts";
import { isLure } from "./lure.ts";
import { hostItem, registrable } from "./noise/hosts.ts";
import { isWanted } from "./noise/is-wanted.ts";
import { isDefacement, isOutage } from "./noise/mask-text.ts";
import { maskedTags } from "./noise/masked-tags.ts";
import { addressesIn, scriptShape } from "./noise/scripts.ts";
import { learn, type NoiseMemory, type Observation, recall } from "./noise-memory.ts";
import { applySelectors, isIgnoredText, type Rules } from "./rules.ts";
import type { Snapshot } from "./snapshot.ts";
import { textReasons } from "./text-reasons.ts";
import type { Hunk, Ignored, Reason, Severity } from "./verdict.ts";

const MAX_IGNORED = 500;

type Html = Pick<
  Snapshot,
  "html" | "url" | "finalUrl" | "text" | "scripts" | "thirdPartyHosts" | "via" | "headers"
>;

/** Compares two pages with what was learned of them; says what is news, what is noise, and what was learned. */
export function compareHtml(before: Html, after: Html, memory: NoiseMemory, rules: Rules): ContentComparison {
  const older = readPage(before, rules);
  const newer = readPage(after, rules);
  const text = compareText(older, newer);
  const structure = compareStructure(older, newer, memory);
  // When most of the page is another one, nothing changed alone.
  const observations =
    text.standing < 0.5
      ? []
      : [
          ...text.changes.filter((change) => !change.moved && change.noise !== "markup").map(observe),
          ...changedContents(older, newer),
        ];
  const ignored: Ignored[] = [...structure.ignored];
  for (const change of text.changes) {
    if (change.noise && isWanted(memory.kept, observe(change).place, change.noise)) change.noise = null;
    change.noise ??= isUnwanted(change, rules) ? "rule" : recall(memory, observe(change));
    if (change.noise !== null && ignored.length < MAX_IGNORED)
      ignored.push(ignoredText(change, change.noise));
  }
  for (const change of text.masked) {
    const why = change.noise ?? "markup";
    if (isWanted(memory.kept, observe(change).place, why)) text.changes.push({ ...change, noise: null });
    else if (ignored.length < MAX_IGNORED) ignored.push(ignoredText(change, why));
  }
  const hunks = hunksOf(before.html, after.html, older, newer);
  ignored.push(...maskedTags(hunks, MAX_IGNORED - ignored.length));
  const news = text.changes.filter((change) => change.noise === null);
  const { standing } = text;
  const reasons = [
    ...wholePage(older, newer, text),
    ...structure.changes.map(structureReason),
    ...textReasons(news, Math.max(standing, text.left)),
  ];
  const isOutage = reasons.some((reason) => reason.kind === "outage");
  return {
    reasons,
    ignored,
    hunks,
    similarity: Math.round(standing * 1000) / 10,
    // An error page teaches nothing about the page it stands in for.
    memory: isOutage ? memory : learn(memory, observations, itemsOf(older, newer), structure.alarmed),
  };
}

/** What differs between two captures of one moment is noise: the first lesson. */
export function learnHtmlTwin(first: Html, second: Html, memory: NoiseMemory, rules: Rules): NoiseMemory {
  const older = readPage(first, rules);
  const newer = readPage(second, rules);
  const observations = compareText(older, newer)
    .changes.filter((change) => !change.moved)
    .map(observe);
  observations.push(...changedContents(older, newer));
  // What both show is no noise but maybe the very news that a second look confirms.
  const [one, other] = [new Set(itemsOf(older)), new Set(itemsOf(newer))];
  const flickering = [...one.symmetricDifference(other)];
  // Later on, what only one of two captures runs may also be an attack on some visitors: it must come back first.
  const harmless = (item: string) => memory.captures === 0 || item.startsWith("host ");
  const { known = [], doubtful = [] } = Object.groupBy(flickering, (item) =>
    harmless(item) ? "known" : "doubtful",
  );
  return learn(memory, observations, known, doubtful, true);
}

function readPage(
  { html, url, finalUrl, text, scripts, thirdPartyHosts, via, headers }: Html,
  rules: Rules,
): Page {
  const page = extractPage(html, finalUrl || url, applySelectors(parseHtml(html), rules));
  const answered = Date.parse(headers.find(([name]) => name === "date")?.[1] ?? "");
  if (!Number.isNaN(answered)) page.now = answered;
  if (rules.selector !== "") return page;
  addLiveText(page, text);
  if (via === "browser") page.loaded = { scripts, hosts: thirdPartyHosts };
  return page;
}

function isUnwanted({ before, after }: TextChange, rules: Rules): boolean {
  return (!before || isIgnoredText(before.text, rules)) && (!after || isIgnoredText(after.text, rules));
}

function observe({ before, after }: TextChange): Observation {
  const block = (after ?? before) as Block;
  return {
    place: block.place,
    before: before && before.key,
    after: after && after.key,
    frame: inFrame(block),
  };
}

function ignoredText({ before, after }: TextChange, why: Ignored["why"]): Ignored {
  return {
    place: (after ?? before)?.place ?? "",
    before: before && before.text.slice(0, 300),
    after: after && after.text.slice(0, 300),
    why,
  };
}

/** What else may come back without being new: hosts a page loads from or links to, shapes of its scripts. */
function itemsOf(...pages: Page[]): string[] {
  const items = new Set<string>();
  for (const page of pages) {
    for (const script of page.scripts) {
      if (script.src) items.add(hostItem("script", script.src));
      else if (script.type === "") {
        items.add(`inline ${scriptShape(script.code)}`);
        for (const address of addressesIn(script.code)) items.add(hostItem("inline", address));
      }
    }
    for (const { src } of page.loaded?.scripts ?? []) if (src) items.add(hostItem("script", src));
    for (const host of page.loaded?.hosts ?? []) items.add(`host ${registrable(host)}`);
    for (const style of page.styles) items.add(hostItem("style", style));
    for (const frame of page.frames) items.add(hostItem("frame", frame.src));
    for (const link of page.links) items.add(hostItem("link", link.href));
  }
  return [...items];
}

function wholePage(older: Page, newer: Page, { standing, left, changes }: TextComparison): Reason[] {
  const oldSize = sizeOf(older.blocks);
  const newText = newer.blocks.map((block) => block.text).join("\n");
  const one = (kind: Reason["kind"], severity: Severity, summary: string): Reason[] => [
    { kind, severity, summary, changes: [{ where: "", before: older.title, after: newer.title }], count: 1 },
  ];
  const phrase = [newer.title, ...changes.map((change) => change.after?.text ?? "")].find(isDefacement);
  const oldText = [older.title, ...older.blocks.map((block) => block.text)].join("\n");
  if (phrase !== undefined && !isDefacement(oldText)) {
    return one("defacement", "critical", `Looks defaced: “${phrase.slice(0, 80)}”`);
  }
  const added = changes.map((change) => change.after?.text ?? "").join("\n");
  if (isLure(added) && !isLure(oldText)) {
    return one("defacement", "critical", "Asks its readers to run a command");
  }
  // A page that only grew is still there, however little of the new one it is.
  if (standing > 0.3 || left > 0.3 || oldSize < 300) return [];
  if (newText.length < 4000 && (isOutage(`${newer.title}\n${newText}`) || newText.trim() === "")) {
    return one(
      "outage",
      "important",
      `Page replaced by an error or a challenge: “${(newer.title || newText).slice(0, 80)}”`,
    );
  }
  if (standing < 0.1) return one("defacement", "critical", "Almost nothing of the page is left");
  return [];
}

function sizeOf(blocks: Block[]): number {
  let size = 0;
  for (const block of blocks) size += block.text.length;
  return size;
}

export function structureReason({ kind, severity, summary, where, before, after }: StructureChange): Reason {
  return { kind, severity, summary, changes: [{ where, before, after }], count: 1 };
}

function hunksOf(before: string, after: string, older: Page, newer: Page): Hunk[] {
  const a = canonicalHtml(before, older.nodes).lines;
  const b = canonicalHtml(after, newer.nodes).lines;
  return diffLines(a, b).map((hunk) => ({
    oldStart: hunk.oldStart,
    newStart: hunk.newStart,
    removed: a.slice(hunk.oldStart, hunk.oldStart + hunk.oldCount),
    added: b.slice(hunk.newStart, hunk.newStart + hunk.newCount),
  }));
}
