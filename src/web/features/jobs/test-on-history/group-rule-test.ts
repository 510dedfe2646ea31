import type { RuleTestRow } from "#contract/rule-test.ts";
import { bySeverity } from "#detection/verdict/verdict.ts";

export type RuleTestGroup = { title: string; rows: RuleTestRow[] };

const isAlerted = ({ state }: RuleTestRow["now"]) => state === "alert" || state === "digest";

/** Groups a dry run's results by importance: lost alerts first, then new ones; in each group the most severe first. */
export function groupRuleTest(rows: RuleTestRow[]): RuleTestGroup[] {
  const parts: [title: string, isIn: (row: RuleTestRow) => boolean][] = [
    ["Silenced", ({ was, now }) => was.state === "alert" && now.state === "quiet"],
    ["No longer alerted", ({ was, now }) => was.state !== "failed" && now.state === "failed"],
    ["New", ({ was, now }) => was.state !== "alert" && now.state === "alert"],
    ["In the digest instead", ({ was, now }) => was.state === "alert" && now.state === "digest"],
    ["Alerted as before", ({ was, now }) => isAlerted(was) && was.state === now.state],
    ["Now alerted", ({ was, now }) => was.state === "failed" && now.state === "quiet"],
  ];
  return parts.flatMap(([title, isIn]) => {
    const found = rows
      .filter(isIn)
      .sort((a, b) => bySeverity(severityOf(a), severityOf(b)) || b.index - a.index);
    return found.length > 0 ? [{ title, rows: found }] : [];
  });
}

function severityOf({ was, now }: RuleTestRow) {
  return { severity: was.severity ?? now.severity ?? ("info" as const) };
}
