import { AppError } from "#contract/errors.ts";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import type { Refusal } from "#detection/selectors-and-ignore-rules/rules.ts";
import { openLimitedThreads } from "#worker-threads/limited-threads.ts";
import { type JudgedRules, lengthOf, refuseAll } from "./refuse-rules.ts";

// This many characters, far more than people write, take some milliseconds to parse; fifty patterns of a thousand
// characters take half a second.
const maxInlineLength = 2_000;
const timeoutSeconds = 10;

const threads = openLimitedThreads(new URL("./assert-rules-thread.ts", import.meta.url), { threads: 2 });

/** Refuses rules that can't be parsed. Long ones are parsed in a thread, so that calls are still answered meanwhile. */
export async function assertRules({
  selector,
  ignore,
  lookup,
  trigger,
  values,
  steps,
}: JudgedRules): Promise<void> {
  const rules: JudgedRules = {
    selector: selector ?? null,
    ignore: ignore ?? [],
    lookup: lookup ? { strings: lookup.strings } : null,
    trigger: trigger ? { strings: trigger.strings } : null,
    values: values ?? [],
    steps: steps ?? [],
  };
  const refusal =
    lengthOf(rules) <= maxInlineLength
      ? refuseAll(rules)
      : await threads.run<Refusal | null>("judge", rules, timeoutSeconds).catch(refuseLongRules);
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: refusal.field });
}

function refuseLongRules(error: unknown): never {
  throw error instanceof UnreadableFile
    ? new AppError("INVALID_INPUT", "These rules take too long to read. Use fewer or shorter ones.")
    : error;
}
