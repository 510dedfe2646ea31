import type { TrialRow } from "#contract/trial.ts";
import { byGravity } from "#detection/verdict.ts";

export type TrialPart = { title: string; rows: TrialRow[] };

const isTold = ({ state }: TrialRow["now"]) => state === "alert" || state === "digest";

/** What a trial found, in the order in which it matters: what would be lost, what would be new; the gravest first. */
export function sortTrial(rows: TrialRow[]): TrialPart[] {
  const parts: [title: string, isIn: (row: TrialRow) => boolean][] = [
    ["Silenced", ({ was, now }) => was.state === "alert" && now.state === "quiet"],
    ["Not seen any more", ({ was, now }) => was.state !== "failed" && now.state === "failed"],
    ["New", ({ was, now }) => was.state !== "alert" && now.state === "alert"],
    ["Told in the digest instead", ({ was, now }) => was.state === "alert" && now.state === "digest"],
    ["Told as before", ({ was, now }) => isTold(was) && was.state === now.state],
    ["Seen again", ({ was, now }) => was.state === "failed" && now.state === "quiet"],
  ];
  return parts.flatMap(([title, isIn]) => {
    const found = rows
      .filter(isIn)
      .sort((a, b) => byGravity(gravestOf(a), gravestOf(b)) || b.index - a.index);
    return found.length > 0 ? [{ title, rows: found }] : [];
  });
}

function gravestOf({ was, now }: TrialRow) {
  return { severity: was.severity ?? now.severity ?? ("info" as const) };
}
