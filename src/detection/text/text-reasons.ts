import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import { findScopeEntries } from "../bug-bounty-scope/scope-entry.ts";
import { describeChanges } from "../change-summaries/describe-changes.ts";
import { findLead } from "../change-summaries/find-lead.ts";
import { isAlertRequested, isDigestOnly, isKnownVariant } from "../frequent-changes/frequent-changes.ts";
import type { Block, Page } from "../html-parsing/page.ts";
import { diffWords } from "../line-and-word-diff/diff-words.ts";
import { idOf } from "../noise-memory/feedback.ts";
import { type NoiseMemory } from "../noise-memory/noise-memory.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import type { Change, Reason } from "../verdict/verdict.ts";
import { observe, type TextChange } from "./compare-text.ts";
import { findRowLabel } from "./find-row-label.ts";

const MAX_CHANGES = 50;

type Rated = { change: TextChange } & Pick<Reason, "kind" | "severity" | "folded"> & { where: string };

/** Describes what differs in the text by landmark; digest-only and hidden changes get reasons of their own. */
export function textReasons(
  news: TextChange[],
  memory: NoiseMemory,
  left: number,
  older: Page,
  newer: Page,
): Reason[] {
  // If little of the page is left, its changes aren't frequent changes.
  const isMostlyLeft = left >= 0.5;
  const scopeEntries = findScopeEntries(news, newer.blocks);
  const rated = news.map((change) => rate(change, memory, isMostlyLeft, scopeEntries.has(change)));
  const groups = Map.groupBy(rated, (one) => `${one.kind} ${one.severity} ${one.where} ${one.folded}`);
  const rank = (group: Rated[]) => Number(isBoilerplate(group[0]?.where ?? ""));
  const contentFirst = [...groups.values()].sort((a, b) => rank(a) - rank(b));
  return contentFirst.map((group) => {
    const { kind, severity, where, folded } = group[0] as Rated;
    const shown = group.slice(0, MAX_CHANGES).map(({ change }) => toChange(change, older, newer));
    const lead = findLead(shown);
    const first = group[lead]?.change;
    const heading = first && findHeading(first, first.after ? newer : older);
    const ordered = [...shown.slice(lead), ...shown.slice(0, lead)];
    const description = describeChanges(ordered, group.length, where, heading);
    const summary = kind === "text" ? description : `${description}, not shown`;
    const reason = { kind, severity, summary, changes: shown, count: group.length };
    return folded ? { ...reason, folded } : reason;
  });
}

function rate(change: TextChange, memory: NoiseMemory, isMostlyLeft: boolean, isScopeEntry: boolean): Rated {
  const seen = observe(change);
  const where = (change.after ?? change.before)?.area ?? "";
  const isRoutine = isMostlyLeft ? isDigestOnly(memory, seen) : isKnownVariant(memory, seen);
  const isUnseen = isHidden(change);
  const isQuiet = isUnseen && isBareValue(change) && !isAlertRequested(memory, seen);
  const shownSeverity = judgeShownText(isScopeEntry, isMostlyLeft || isRoutine);
  return {
    change,
    kind: isUnseen ? "hidden-text" : "text",
    severity: isUnseen ? severityOf.hiddenTextChanged : shownSeverity,
    where,
    ...((isRoutine || isQuiet) && !isScopeEntry ? { folded: true } : {}),
  };
}

// In blocks: a heading further up is rarely about one value.
const MAX_HEADING_DISTANCE = 12;
const MAX_NAMED_LENGTH = 60;
// Headings above the text of a whole page are longer than the name of an item, and so is what they are about.
const MAX_STATE_LENGTH = 30;

/** The heading of the section that a value or a state is in; the page's first heading names the whole page. */
function findHeading({ before, after }: TextChange, { blocks }: Page): string | undefined {
  const block = after ?? before;
  if (!block || !before || !after || block.role === "heading") return undefined;
  if (Math.max(before.text.length, after.text.length) > MAX_STATE_LENGTH) return undefined;
  const at = blocks.findIndex(({ node, text }) => node === block.node && text === block.text);
  const first = blocks.findIndex(({ role }) => role === "heading");
  const isHeading = ({ role, area, hidden }: Block) =>
    role === "heading" && area === block.area && hidden === "";
  const heading = blocks
    .slice(Math.max(first + 1, at - MAX_HEADING_DISTANCE), Math.max(0, at))
    .findLast(isHeading);
  return heading && heading.text.length <= MAX_NAMED_LENGTH ? heading.text : undefined;
}

function judgeShownText(isScopeEntry: boolean, isMostlyLeft: boolean): Severity {
  if (isScopeEntry) return severityOf.targetAddedToScope;
  return isMostlyLeft ? severityOf.textChanged : severityOf.textOfMostlyReplacedPage;
}

/** Whether the text is invisible to readers both before and after the change. */
function isHidden({ before, after }: TextChange): boolean {
  return (!before || isInvisible(before)) && (!after || isInvisible(after));
}

/** Whether a number or a sign changed without a word: what nobody sees and nothing names says nothing to a reader. */
function isBareValue({ before, after }: TextChange): boolean {
  return [before, after].every((block) => !block || !/\p{L}/u.test(block.text));
}

function isInvisible({ hidden, unseen }: Block): boolean {
  return hidden !== "" || unseen;
}

/** Describes a change as readers see it: a piece that was hidden is removed, one that was shown is added. */
function toChange(change: TextChange, older: Page, newer: Page): Change {
  const isUnseen = isHidden(change);
  const textOf = (block: Block | null) => (block && (isUnseen || !isInvisible(block)) ? block.text : null);
  const [before, after] = [textOf(change.before), textOf(change.after)];
  const where = (change.after ?? change.before)?.area ?? "";
  const id = idOf(observe(change));
  const words = (change.after ?? change.before)?.text ?? "";
  const row = change.after
    ? findRowLabel(change.after, newer)
    : change.before && findRowLabel(change.before, older);
  const location = { id, where, ...(row ? { row } : {}) };
  if (change.moved) return { ...location, before: words, after: words, moved: true };
  const result: Change = { ...location, before, after };
  if (before !== null && after !== null) result.words = diffWords(before, after);
  return result;
}
