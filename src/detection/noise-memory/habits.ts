import type { Calendar } from "./calendar.ts";
import type { Shape } from "./shape.ts";

/** When a location was reported (numbers of checks, oldest first), and the shape of its text. */
type ReportHistory = {
  checks: number[];
  shape: Shape;
  asked?: true;
  /** Hashes of the last versions of a part that alternates, and the checks at which it went back to one of them. */
  versions?: string[];
  returns?: number[];
};

/** What usually happens on the page: what was reported lately, how often, and what is waiting. */
export type Habits = Calendar & {
  /** Checks made, including those that found nothing. */
  checks: number;
  /** Locations that were reported at one of the last checks. */
  told: Record<string, ReportHistory>;
  /** What was recently reported as added or removed, by its hash, with the check. */
  turns: Record<string, number>;
  /** Checks in a row at which the page had lost parts of itself and gained nothing. */
  partial: number;
  /** Boilerplate parts with pending labels, which are alerted if the next check still sees them. */
  waiting: string[];
  /** Error statuses that were captured while no good page was known: they are the page's own responses. */
  ownErrors: number[];
  /** Ignore rules by their hash, with the number of checks in a row at which they matched nothing. */
  idleRules: Record<string, number>;
  /** The error status that was alerted since the last good page; null while the good page is still the response. */
  toldStatus: number | null;
};

export function noHabits(): Habits {
  const counts = { checks: 0, days: [], partial: 0 };
  return { ...counts, told: {}, turns: {}, waiting: [], ownErrors: [], idleRules: {}, toldStatus: null };
}
