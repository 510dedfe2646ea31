import { AppError } from "#contract/errors.ts";

type Body = {
  /** Bytes received so far. */
  received: () => number;
  cutOff: (reason: AppError) => void;
  elapsedMs: number;
};

export type BodyRules = {
  /** A body that arrives more slowly falls behind. */
  bytesPerSecond: number;
  /** A body that is further behind than this is cut off. */
  graceMs: number;
  /** Bodies of one caller that may be unfinished at once; each holds up to 256 KiB of memory. */
  perCaller: number;
  checkEveryMs: number;
};

const defaults: BodyRules = { bytesPerSecond: 1024, graceMs: 10_000, perCaller: 30, checkEveryMs: 1_000 };

/** Watches request bodies that are still arriving: slow senders are cut off, and nobody has too many of them open. */
export function watchBodies(rules: Partial<BodyRules> = {}) {
  const { bytesPerSecond, graceMs, perCaller, checkEveryMs } = { ...defaults, ...rules };
  const callers = new Map<string, Set<Body>>();
  let timer: NodeJS.Timeout | undefined;

  const behindMs = ({ elapsedMs, received }: Body) => elapsedMs - (received() / bytesPerSecond) * 1000;

  function check(): void {
    for (const bodies of callers.values()) {
      for (const body of bodies) {
        // Time in which this process was busy isn't counted: then nothing could be received, however fast it was sent.
        body.elapsedMs += checkEveryMs;
        if (behindMs(body) > graceMs) body.cutOff(new AppError("TOO_SLOW"));
      }
    }
  }

  function makeRoom(bodies: Set<Body>): void {
    let slowest: Body | undefined;
    for (const body of bodies) if (!slowest || behindMs(body) > behindMs(slowest)) slowest = body;
    slowest?.cutOff(
      new AppError(
        "TOO_SLOW",
        `${perCaller} requests from your address were still arriving, and this one was the slowest, so we stopped waiting for it. Try again when the others are done.`,
      ),
    );
  }

  return {
    /** Watches one body. Call the returned function when the body is complete or no longer awaited. */
    begin(caller: string, received: () => number, cutOff: (reason: AppError) => void): () => void {
      const bodies = callers.get(caller) ?? new Set();
      const body: Body = {
        received,
        elapsedMs: 0,
        cutOff(reason) {
          end();
          cutOff(reason);
        },
      };
      function end() {
        bodies.delete(body);
        if (bodies.size === 0 && callers.get(caller) === bodies) callers.delete(caller);
        if (callers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      }
      if (bodies.size >= perCaller) makeRoom(bodies);
      bodies.add(body);
      callers.set(caller, bodies);
      timer ??= setInterval(check, checkEveryMs).unref();
      return end;
    },
    get unfinished() {
      return [...callers.values()].reduce((sum, bodies) => sum + bodies.size, 0);
    },
  };
}
