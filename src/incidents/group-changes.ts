/** One change of one page, with what it added and removed. */
export type GroupedChange = {
  executionId: string;
  jobId: string;
  /** The registrable domain of the page. */
  site: string;
  at: Date;
  /** Whether it is about a finding of security, which isn't hidden among other changes. */
  hasFinding: boolean;
  /** The weight of each thing that was added or removed. */
  items: Map<string, number>;
};

/** Changes that have one cause, oldest first. */
export type ChangeGroup = { changes: GroupedChange[] };

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** An incident is closed by a message when no page has joined it for this long. */
export const quietSeconds = 600;
/** A change belongs to an incident if it shares at least this part of the weight. */
const sharedPart = 0.5;
/** The first and the last changes stand for a large group. */
export const comparedChanges = 5;

/**
 * The group whose changes have the same cause as this one: on one site within a day if they share half of what changed,
 * by weight; across sites within an hour if exactly the same changed.
 */
export function findGroup<Group extends ChangeGroup>(
  groups: Group[],
  change: GroupedChange,
): Group | undefined {
  const weights = new Map<GroupedChange, number>();
  const weigh = (one: GroupedChange) => {
    const weight = weights.get(one) ?? [...one.items.values()].reduce((sum, each) => sum + each, 0);
    weights.set(one, weight);
    return weight;
  };
  const closenessTo = ({ changes }: Group) =>
    Math.max(
      0,
      ...[...changes.slice(0, comparedChanges), ...changes.slice(-comparedChanges)].map((one) =>
        closenessOf(one, change, weigh),
      ),
    );
  return groups
    .map((group) => ({ group, closeness: closenessTo(group) }))
    .filter(({ closeness }) => closeness >= sharedPart)
    .toSorted((a, b) => b.closeness - a.closeness)[0]?.group;
}

/** How much of the weight of the smaller of two changes they share; 0 if they can't have one cause. */
function closenessOf(
  one: GroupedChange,
  other: GroupedChange,
  weigh: (change: GroupedChange) => number,
): number {
  const distance = Math.abs(other.at.getTime() - one.at.getTime());
  if (one.hasFinding !== other.hasFinding || distance > dayMs) return 0;
  const [small, large] = [one, other].toSorted((a, b) => weigh(a) - weigh(b));
  if (!small || !large || small.items.size === 0) return 0;
  if (one.site !== other.site) {
    const isSame =
      small.items.size === large.items.size && [...small.items.keys()].every((item) => large.items.has(item));
    return isSame && distance <= hourMs ? 1 : 0;
  }
  const shared = [...small.items].reduce(
    (sum, [item, weight]) => sum + (large.items.has(item) ? weight : 0),
    0,
  );
  return shared / weigh(small);
}

/** What at least half of a group's changes have in common, the heaviest first. */
export function findCommon({ changes }: ChangeGroup): string[] {
  const counts = new Map<string, { weight: number; changes: number }>();
  for (const { items } of changes)
    for (const [item, weight] of items) {
      const known = counts.get(item) ?? { weight, changes: 0 };
      counts.set(item, { weight, changes: known.changes + 1 });
    }
  return [...counts]
    .filter(([, counted]) => counted.changes >= changes.length / 2)
    .toSorted(([, a], [, b]) => b.changes * b.weight - a.changes * a.weight)
    .map(([item]) => item);
}
