import type { CaptureFailure } from "#contract/capture.ts";
import { failure } from "../../failures/failures.ts";
import { CdpError } from "../devtools-protocol/cdp-error.ts";
import { readPageScript, type Tab } from "../tab.ts";
import type { VisitLimits, VisitRequest } from "./visit-request.ts";

const scripts = { hasten: readPageScript("hasten"), awaitElement: readPageScript("await-element") };

/** How a visit waits: for a condition, or until its page makes no requests. */
type Waits = {
  until: (condition: () => boolean, ms: number, everyMs?: number) => Promise<void>;
  /** For some time without a request, in milliseconds. */
  isQuiet: (ms: number) => boolean;
  untilQuiet: () => Promise<void>;
};

/** Waits for what the job asks for; returns why that can't be waited for. */
export async function awaitRequested(
  tab: Tab,
  world: number,
  { waitFor, waits, limits }: { waitFor: VisitRequest["waitFor"]; waits: Waits; limits: VisitLimits },
): Promise<CaptureFailure | null> {
  const { selector, text, quiet = false, seconds = 0 } = waitFor ?? {};
  const { waitForMs } = limits;
  await waits.until(() => false, Math.min(seconds * 1_000, waitForMs));
  if (quiet) await waits.until(() => waits.isQuiet(1_000), waitForMs, 50);
  if (selector === undefined && text === undefined) return null;
  const wanted = { selector, text, waitMs: waitForMs };
  const isSelector = await tab.run<boolean>(world, scripts.awaitElement, wanted, waitForMs + 1_000);
  return isSelector ? null : failure("selector", `This is not a CSS selector: ${selector}`);
}

/** Makes the page run its deferred timers, repeatedly while new ones appear; returns the length of its text. */
export async function runDeferred(
  tab: Tab,
  world: number,
  { secret, waits, limits }: { secret: string; waits: Waits; limits: VisitLimits },
): Promise<number> {
  for (let round = 0; ; round++) {
    type Hastened = { done: number; textLength: number };
    const { done, textLength } = await tab
      .run<Hastened>(world, scripts.hasten, { secret }, 2_000)
      .catch((error: unknown) => {
        // A deferred function never ended, and the browser terminated it.
        if (error instanceof CdpError && error.kind === "ended") return { done: 0, textLength: 0 };
        throw error;
      });
    if (done === 0 || round === limits.rounds) return textLength;
    // Give the requests that the page now makes time to start.
    await waits.until(() => false, 50);
    await waits.untilQuiet();
  }
}
