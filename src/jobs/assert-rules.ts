import { AppError } from "#contract/errors.ts";
import type { Refusal } from "#detection/rules.ts";
import { type JudgedRules, lengthOf, refuseAll } from "./judging/refuse-rules.ts";
import { openReadingThreads } from "./reading-threads.ts";
import { UnreadableFile } from "./unreadable-file.ts";

// Fifty patterns of a thousand characters take half a second to parse, far more than people write some milliseconds.
const atOnce = 2_000;
const seconds = 10;

const threads = openReadingThreads(new URL("./judging/thread.ts", import.meta.url), { threads: 2 });

/** Refuses rules that cannot be understood. Long ones are parsed in a thread, so that calls go on being answered. */
export async function assertRules({ selector, ignore, lookup, trigger, values }: JudgedRules): Promise<void> {
  const rules: JudgedRules = {
    selector: selector ?? null,
    ignore: ignore ?? [],
    lookup: lookup ? { strings: lookup.strings } : null,
    trigger: trigger ? { strings: trigger.strings } : null,
    values: values ?? [],
  };
  const refusal =
    lengthOf(rules) <= atOnce
      ? refuseAll(rules)
      : await threads.run<Refusal | null>("judge", rules, seconds).catch(refuseLongRules);
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: refusal.field });
}

function refuseLongRules(error: unknown): never {
  throw error instanceof UnreadableFile
    ? new AppError("INVALID_INPUT", "These rules take too long to read. Use fewer or shorter ones.")
    : error;
}
