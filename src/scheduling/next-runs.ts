import { planById } from "#plans/plans.ts";
import type { Database } from "#storage/database.ts";
import { type Claim, listTimetables, moveRuns } from "./schedule-rows.ts";
import { isWithinHours, nextRun, type Timetable } from "./timetable.ts";

const lateMs = 15 * 60_000;
/** A claim usually follows within a second. Up to this delay the next check counts from the planned time. */
const claimDelayMs = 60_000;
const yearMs = 365 * 86_400_000;
const maxMissed = 1_000;

/** Sets the next check of jobs that have a timetable, counted from now or from their last check. */
export async function setNextRuns(tx: Database, jobIds: string[], isCheckedNow: boolean): Promise<void> {
  const rows = await listTimetables(tx, jobIds);
  const moves = rows.flatMap(({ id, last_at, ...row }) => {
    const at = nextDue(row, isCheckedNow ? row.now : (last_at ?? row.now), row.now, true);
    return at ? [{ id, at }] : [];
  });
  if (moves.length > 0) await moveRuns(tx, moves);
}

/** The next checks of an active job as they are planned, the very next one first. */
export async function followingRuns(
  db: Database,
  job: { id: string; next_run_at: Date; frequency_minutes: number },
  count: number,
): Promise<Date[]> {
  const [row] = await listTimetables(db, [job.id]);
  const runs = [job.next_run_at];
  while (runs.length < count) {
    const last = runs.at(-1) ?? job.next_run_at;
    const next = row ? nextDue(row, last, last) : new Date(last.getTime() + job.frequency_minutes * 60_000);
    if (!next) break;
    runs.push(next);
  }
  return runs;
}

/**
 * Moves claimed jobs that have a timetable to their next check. A job whose hours are over, because no scheduler ran
 * while it was due, is not checked now.
 */
export async function advanceRuns(tx: Database, claims: Claim[]): Promise<void> {
  const withTimetable = claims.filter(({ timetable }) => timetable !== null);
  if (withTimetable.length === 0) return;
  const ids = withTimetable.map(({ id }) => id);
  const rows = new Map((await listTimetables(tx, ids)).map((row) => [row.id, row]));
  const moves = withTimetable.flatMap((claim) => {
    const row = rows.get(claim.id);
    if (!row) return [];
    claim.isOver = !isWithin(row, claim.due);
    claim.missed = countMissed(row, claim.due) + (claim.isOver ? 1 : 0);
    const isPunctual = row.now.getTime() - claim.due.getTime() < claimDelayMs;
    const next = nextDue(row, claim.isOver || isPunctual ? claim.due : row.now, row.now);
    // If the timetable has no further check, look again in a year.
    const at = next ?? new Date(row.now.getTime() + yearMs);
    return [{ id: claim.id, at, isIdle: claim.isOver && !claim.busy }];
  });
  await moveRuns(tx, moves);
}

type Row = Omit<Awaited<ReturnType<typeof listTimetables>>[number], "id" | "last_at">;

/** The next check: the time in the timetable plus the job's own jitter. */
function nextDue(
  { timetable, jitter_ms, ...row }: Row,
  after: Date,
  now: Date,
  isFirst = false,
): Date | null {
  const earlier = (at: Date) => new Date(at.getTime() - jitter_ms);
  const next = nextRun(timetable, rhythmOf(row), earlier(after), earlier(now), isFirst);
  return next && new Date(next.getTime() + jitter_ms);
}

const rhythmOf = ({ frequency_minutes, plan_id }: Pick<Row, "frequency_minutes" | "plan_id">) => ({
  frequencyMinutes: frequency_minutes,
  minimumMinutes: planById(plan_id).minimumMinutes,
});

function isWithin(
  { timetable, jitter_ms, now }: { timetable: Timetable; jitter_ms: number; now: Date },
  due: Date,
) {
  const isOpen = (at: Date) => isWithinHours(timetable, new Date(at.getTime() - jitter_ms));
  return isOpen(now) || (now.getTime() - due.getTime() < lateMs && isOpen(due));
}

/** How many checks were missed besides the one that was due. */
function countMissed(row: Row, due: Date): number {
  let count = 0;
  for (let at = nextDue(row, due, due); at && at < row.now && count < maxMissed; at = nextDue(row, at, at))
    count++;
  return count;
}
