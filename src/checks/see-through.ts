import type { Snapshot } from "#contract/capture.ts";
import type { View } from "#detection/apply-rules.ts";
import { type Rules, refuseRules } from "#detection/rules.ts";
import type { LogLine } from "#storage/logs.ts";
import { absence } from "./absence.ts";
import type { Deps } from "./deps.ts";
import { type KeptBytes, type KeptView, openSnapshot, whole } from "./kept-view.ts";

/** A capture through its job's rules, and those that had to be left out; or why nothing can be compared by them. */
export type Seen = { view: View; lines: LogLine[] } | { problem: string };

/** Shows a capture through rules that may be awaited to match nothing, or must not. */
export async function seeThrough(
  { detector }: Pick<Deps, "detector">,
  snapshot: Snapshot,
  rules: Rules,
  isAwaited: boolean,
): Promise<Seen> {
  const lines: LogLine[] = [];
  const leaveOut = (entry: string, why: string) => {
    lines.push({ level: "warn", meta: `Left out of this check: ${why} (ignore ${entry.slice(0, 100)})` });
  };
  const { selector } = rules;
  const refused = refuseRules({ selector });
  if (refused) return { problem: refused.reason };
  const ignore = rules.ignore.filter((entry) => {
    const problem = refuseRules({ ignore: [entry] });
    if (problem) leaveOut(entry, problem.reason);
    return !problem;
  });
  const look = (wanted: Rules) => viewOf(detector, snapshot, wanted);
  let view = await look({ selector, ignore });
  if (!view) {
    if (selector && !(await look({ selector, ignore: [] }))) {
      return { problem: `The selector ${selector} takes too long on this page` };
    }
    const quick: string[] = [];
    for (const entry of ignore) {
      if (await look({ selector: null, ignore: [entry] })) quick.push(entry);
      else leaveOut(entry, "it takes too long on this page");
    }
    view = await look({ selector, ignore: quick });
    if (!view) return { problem: "The rules take too long on this page" };
  }
  return view.isAbsent && !isAwaited ? { problem: absence(snapshot, selector) } : { view, lines };
}

/** A capture of the past through its job's rules as they are now; the whole of it where they cannot be applied. */
export async function lookBackThrough(
  deps: Pick<Deps, "detector">,
  snapshot: Snapshot,
  { selector, ignore }: Rules,
): Promise<View> {
  const seen = await seeThrough(deps, snapshot, { selector, ignore }, true);
  return "problem" in seen ? whole(snapshot) : seen.view;
}

/** The same of a capture that is still as it is kept; what no rule cuts is left so. */
export async function lookBackAt(
  deps: Pick<Deps, "detector">,
  kept: KeptBytes,
  rules: Rules,
): Promise<View | KeptView> {
  return isPlain(rules) ? { kept } : lookBackThrough(deps, openSnapshot(kept), rules);
}

async function viewOf(
  detector: Deps["detector"],
  snapshot: Snapshot,
  rules: Rules,
): Promise<View | undefined> {
  return isPlain(rules) ? whole(snapshot) : detector.view({ snapshot, rules });
}

export const isPlain = ({ selector, ignore }: Rules): boolean => selector === null && ignore.length === 0;
