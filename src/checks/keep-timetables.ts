import { planById } from "#contract/plans.ts";
import { isOpenAt, nextRun, type Timetable } from "#contract/timetable.ts";
import type { Database } from "#storage/database.ts";
import { type Claim, listTimetables, moveRuns } from "#storage/schedule.ts";

const lateMs = 15 * 60_000;
const yearMs = 365 * 86_400_000;
const mostMissed = 1_000;

/** Sets the next checks of jobs that have a timetable, after a check now or after their last one. */
export async function keepTimetables(tx: Database, jobIds: string[], isCheckedNow: boolean): Promise<void> {
  const rows = await listTimetables(tx, jobIds);
  const moves = rows.flatMap(({ id, last_at, ...row }) => {
    const at = follow(row, isCheckedNow ? row.now : (last_at ?? row.now), row.now);
    return at ? [{ id, at }] : [];
  });
  if (moves.length > 0) await moveRuns(tx, moves);
}

/**
 * Moves claimed jobs that have a timetable to their next check. One whose hours are over, because nothing ran while it
 * was due, is not checked now.
 */
export async function followTimetables(tx: Database, claims: Claim[]): Promise<void> {
  const bound = claims.filter(({ timetable }) => timetable !== null);
  if (bound.length === 0) return;
  const ids = bound.map(({ id }) => id);
  const rows = new Map((await listTimetables(tx, ids)).map((row) => [row.id, row]));
  const moves = bound.flatMap((claim) => {
    const row = rows.get(claim.id);
    if (!row) return [];
    claim.isOver = !isWithin(row, claim.due);
    claim.missed = countMissed(row, claim.due) + (claim.isOver ? 1 : 0);
    const next = follow(row, claim.isOver ? claim.due : row.now, row.now);
    // Where none comes any more, it is asked again in a year.
    const at = next ?? new Date(row.now.getTime() + yearMs);
    return [{ id: claim.id, at, isIdle: claim.isOver && !claim.busy }];
  });
  await moveRuns(tx, moves);
}

type Row = Omit<Awaited<ReturnType<typeof listTimetables>>[number], "id" | "last_at">;

/** The next check, a little later than the timetable says: by how much is the job's own. */
function follow({ timetable, jitter_ms, ...row }: Row, after: Date, now: Date): Date | null {
  const earlier = (at: Date) => new Date(at.getTime() - jitter_ms);
  const next = nextRun(timetable, rhythmOf(row), earlier(after), earlier(now));
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
  const isOpen = (at: Date) => isOpenAt(timetable, new Date(at.getTime() - jitter_ms));
  return isOpen(now) || (now.getTime() - due.getTime() < lateMs && isOpen(due));
}

/** How many checks went by besides the one that was due. */
function countMissed(row: Row, due: Date): number {
  let count = 0;
  for (let at = follow(row, due, due); at && at < row.now && count < mostMissed; at = follow(row, at, at))
    count++;
  return count;
}
