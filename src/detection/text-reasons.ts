import { observe, type TextChange } from "./compare-text.ts";
import { diffWords } from "./diff-words.ts";
import { idOf } from "./noise/said.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import { isFolded } from "./often.ts";
import type { Block } from "./page.ts";
import { sayChanges } from "./say-change.ts";
import { scopeEntries } from "./scope-entry.ts";
import type { Change, Reason, Severity } from "./verdict.ts";

const MAX_CHANGES = 50;

/** Says in words what differs in the text, landmark by landmark, what is folded or hidden apart. */
export function textReasons(
  news: TextChange[],
  memory: NoiseMemory,
  left: number,
  blocks: Block[],
): Reason[] {
  // A page of which little is left is not something that changes often.
  const isWhole = left >= 0.5;
  const awaited = scopeEntries(news, blocks);
  const groups = new Map<string, { reason: Reason; changes: TextChange[] }>();
  for (const change of news) {
    const seen = observe(change);
    const where = (change.after ?? change.before)?.area ?? "";
    const folded = isWhole && !awaited.has(change) && isFolded(memory, seen) ? { folded: true as const } : {};
    const kind = isHidden(change) ? "hidden-text" : "text";
    const severity: Severity = (isWhole && !awaited.has(change)) || kind !== "text" ? "notice" : "important";
    const key = `${kind} ${severity} ${where} ${folded.folded}`;
    const group = groups.get(key) ?? {
      reason: { kind, severity, summary: where, changes: [], count: 0, ...folded },
      changes: [],
    };
    group.changes.push(change);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ reason, changes }) => {
    const shown = changes.slice(0, MAX_CHANGES).map(toChange);
    const said = sayChanges(shown, changes.length, reason.summary);
    const summary = reason.kind === "text" ? said : `${said}, not shown`;
    return { ...reason, summary, changes: shown, count: changes.length };
  });
}

/** Whether no reader saw it, before or after. */
function isHidden({ before, after }: TextChange): boolean {
  return (!before || isOut(before)) && (!after || isOut(after));
}

function isOut({ hidden, unseen }: Block): boolean {
  return hidden !== "" || unseen;
}

/** What a reader sees of it: a piece that is hidden is gone, one that is shown has come. */
function toChange(change: TextChange): Change {
  const isTold = isHidden(change);
  const see = (block: Block | null) => (block && (isTold || !isOut(block)) ? block.text : null);
  const [before, after] = [see(change.before), see(change.after)];
  const where = (change.after ?? change.before)?.area ?? "";
  const id = idOf(observe(change));
  const words = (change.after ?? change.before)?.text ?? "";
  if (change.moved) return { id, where, before: words, after: words, moved: true };
  const told: Change = { id, where, before, after };
  if (before !== null && after !== null) told.words = diffWords(before, after);
  return told;
}
