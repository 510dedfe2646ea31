/** What the memory had counted at the first check of a day. */
type Day = { day: string; captures: number; checks: number };

/** The last 30 days on which something was compared, oldest first. */
export type Calendar = { days: Day[] };

type Counts = Calendar & { captures: number; checks: number };

const MS_PER_DAY = 86_400_000;
const DAYS = 30;

/** Begins a day if `at`, an ISO date, is on another one than the last; forgets those more than 30 days ago. */
export function beginDay<Memory extends Counts>(memory: Memory, at: string | undefined): Memory {
  if (at === undefined) return memory;
  const { days, captures, checks } = memory;
  const day = at.slice(0, 10);
  if (day <= (days.at(-1)?.day ?? "")) return memory;
  const oldest = new Date(Date.parse(at) - DAYS * MS_PER_DAY).toISOString().slice(0, 10);
  return { ...memory, days: [...days.filter((one) => one.day >= oldest), { day, captures, checks }] };
}

/** Whether something that a check counted as `last` was within the last 30 days, however many checks that is. */
export function isWithinMonth(
  { days: [first] }: Calendar,
  counter: "captures" | "checks",
  last: number,
): boolean {
  return first !== undefined && last > first[counter];
}
