import { highestSeverity, type Severity } from "#detection/severity/severity.ts";

/** One change of one page, with what it added and removed. */
export type GroupedChange = {
  executionId: string;
  jobId: string;
  /** The registrable domain of the page. */
  site: string;
  at: Date;
  severity: Severity;
  /** Whether it is about a finding of security, which isn't hidden among other changes. */
  hasFinding: boolean;
  /** The weight of each thing that was added or removed. */
  items: Map<string, number>;
};

export type ChangeGroup = {
  changes: GroupedChange[];
  severity: Severity;
  /** What at least half of the changes have in common, the heaviest first. */
  common: string[];
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A change belongs to an incident if it shares at least this part of the weight. */
const sharedPart = 0.5;
const maxCompared = 5;

/**
 * Puts changes that come from one cause together: on one site within a day if they share half of what changed, by
 * weight; across sites within an hour if exactly the same changed.
 */
export function groupChanges(changes: GroupedChange[]): ChangeGroup[] {
  const groups: GroupedChange[][] = [];
  const weights = new Map(changes.map((change) => [change, weightOf(change)]));
  const closenessTo = (change: GroupedChange, group: GroupedChange[]) =>
    // The first and the last ones stand for a large group.
    Math.max(
      ...[...group.slice(0, maxCompared), ...group.slice(-maxCompared)].map((one) =>
        closenessOf(one, change, weights),
      ),
    );
  for (const change of changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const best = groups
      .map((group) => ({ group, closeness: closenessTo(change, group) }))
      .filter(({ closeness }) => closeness >= sharedPart)
      .toSorted((a, b) => b.closeness - a.closeness)[0];
    if (best) best.group.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => ({
    changes: group,
    severity: highestSeverity(group),
    common: commonOf(group),
  }));
}

/** How much of the weight of the smaller of two changes they share; 0 if they can't have one cause. */
function closenessOf(
  earlier: GroupedChange,
  later: GroupedChange,
  weights: Map<GroupedChange, number>,
): number {
  const distance = later.at.getTime() - earlier.at.getTime();
  if (earlier.hasFinding !== later.hasFinding || distance > dayMs) return 0;
  const [small, large] = [earlier, later].toSorted((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0));
  if (!small || !large || small.items.size === 0) return 0;
  if (earlier.site !== later.site) {
    const isSame =
      small.items.size === large.items.size && [...small.items.keys()].every((item) => large.items.has(item));
    return isSame && distance <= hourMs ? 1 : 0;
  }
  const shared = [...small.items].reduce(
    (sum, [item, weight]) => sum + (large.items.has(item) ? weight : 0),
    0,
  );
  return shared / (weights.get(small) ?? 1);
}

const weightOf = ({ items }: GroupedChange) => [...items.values()].reduce((sum, weight) => sum + weight, 0);

function commonOf(group: GroupedChange[]): string[] {
  const counts = new Map<string, { weight: number; changes: number }>();
  for (const { items } of group)
    for (const [item, weight] of items) {
      const known = counts.get(item) ?? { weight, changes: 0 };
      counts.set(item, { weight, changes: known.changes + 1 });
    }
  return [...counts]
    .filter(([, { changes }]) => changes >= group.length / 2)
    .toSorted(([, a], [, b]) => b.changes * b.weight - a.changes * a.weight)
    .map(([item]) => item);
}
