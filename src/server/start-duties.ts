import type { App } from "./app.ts";
import { duties } from "./duties.ts";
import type { Duty } from "./duty.ts";

/** Starts duties in order; answers how to end them before the queue is closed, and how to after it. */
export async function startDuties(
  app: App,
  isWanted: (duty: Duty) => boolean,
): Promise<{ end: () => Promise<void>; endAfterQueue: () => Promise<void> }> {
  const before = new AsyncDisposableStack();
  const after = new AsyncDisposableStack();
  try {
    for (const duty of duties) {
      if (isWanted(duty)) (duty.outlivesQueue ? after : before).defer(await duty.start(app));
    }
  } catch (error) {
    await before.disposeAsync();
    await after.disposeAsync();
    throw error;
  }
  return { end: () => before.disposeAsync(), endAfterQueue: () => after.disposeAsync() };
}
