import { filterPastSnapshot } from "#checks/apply-job-rules.ts";
import { readSnapshot } from "#checks/store-capture.ts";
import { diffLines } from "#detection/line-and-word-diff/diff-lines.ts";
import { rulesOf } from "#group-defaults/inherit.ts";
import type { ChangeRecord } from "#history/read-change.ts";
import { cut } from "#message-templates/rich-text.ts";
import { placeholdersIn, type TemplateValues } from "#message-templates/template.ts";
import { type ExecutionRow, storedPartsOf } from "#storage/executions.ts";
import { matchedStrings, type SearchDeps } from "./search-change.ts";

const textLimit = 16_000;
const contextLines = 3;

/** Values that are read from the captures themselves, which takes a while: only those that a template uses. */
export type CapturedValues = Pick<TemplateValues, "matched" | "snapshot" | "diff.full" | "patch">;

export async function capturedValues(
  deps: SearchDeps,
  change: ChangeRecord,
  template: string,
): Promise<CapturedValues> {
  const used = new Set(placeholdersIn(template));
  const matched = used.has("matched") ? { matched: await matchedStrings(deps, change) } : {};
  const isCompared = used.has("diff.full") || used.has("patch");
  if (!isCompared && !used.has("snapshot")) return matched;
  const [before, after] = await Promise.all([
    isCompared ? readLines(deps, change, change.before) : [],
    readLines(deps, change, change.execution),
  ]);
  return {
    ...matched,
    snapshot: cut(after.join("\n"), textLimit),
    ...(isCompared && {
      "diff.full": cut(writeDiff(before, after), textLimit),
      patch: cut(writePatch(before, after), textLimit),
    }),
  };
}

/** The text of a capture as it is compared; none if it is no longer stored. */
async function readLines(
  deps: SearchDeps,
  { job }: ChangeRecord,
  execution: ExecutionRow | null,
): Promise<string[]> {
  const stored = execution && storedPartsOf(execution);
  if (!stored) return [];
  const capture = await readSnapshot(deps, job.account_id, stored);
  const detector = deps.detector.for(job.account_id);
  const { snapshot } = await filterPastSnapshot({ detector }, capture, rulesOf(job));
  return snapshot.text.flatMap(({ text }) => text.split("\n"));
}

const marked = (mark: string, lines: string[]) => lines.map((line) => `${mark}${line}`);

function writeDiff(before: string[], after: string[]): string {
  let at = 0;
  const lines = diffLines(before, after).flatMap(({ oldStart, oldCount, newStart, newCount }) => {
    const same = before.slice(at, oldStart);
    at = oldStart + oldCount;
    return [
      ...marked("  ", same),
      ...marked("- ", before.slice(oldStart, at)),
      ...marked("+ ", after.slice(newStart, newStart + newCount)),
    ];
  });
  return [...lines, ...marked("  ", before.slice(at))].join("\n");
}

/** A unified diff: hunks whose surrounding lines touch are one. */
function writePatch(before: string[], after: string[]): string {
  const groups: ReturnType<typeof diffLines>[] = [];
  for (const hunk of diffLines(before, after)) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last && hunk.oldStart - (last.oldStart + last.oldCount) <= 2 * contextLines;
    if (isNear) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  return groups.map((group) => writeGroup(group, before, after)).join("\n");
}

function writeGroup(group: ReturnType<typeof diffLines>, before: string[], after: string[]): string {
  const [first, last] = [group[0]!, group.at(-1)!];
  const from = Math.max(0, first.oldStart - contextLines);
  const to = Math.min(before.length, last.oldStart + last.oldCount + contextLines);
  const newFrom = first.newStart - (first.oldStart - from);
  const newCount = last.newStart + last.newCount - newFrom + (to - last.oldStart - last.oldCount);
  let at = from;
  const lines = group.flatMap(({ oldStart, oldCount, newStart, newCount: added }) => {
    const same = before.slice(at, oldStart);
    at = oldStart + oldCount;
    return [
      ...marked(" ", same),
      ...marked("-", before.slice(oldStart, at)),
      ...marked("+", after.slice(newStart, newStart + added)),
    ];
  });
  const range = (start: number, count: number) => `${count === 0 ? start : start + 1},${count}`;
  return [
    `@@ -${range(from, to - from)} +${range(newFrom, newCount)} @@`,
    ...lines,
    ...marked(" ", before.slice(at, to)),
  ].join("\n");
}
