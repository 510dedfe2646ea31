import type { App } from "../app.ts";
import { duties } from "./duties.ts";
import type { Duty } from "./duty.ts";

/** Starts duties in order; returns how to end those that end before the queue is closed, and those that end after. */
export async function startDuties(
  app: App,
  isWanted: (duty: Duty) => boolean,
): Promise<{ end: () => Promise<void>; endAfterQueue: () => Promise<void> }> {
  const endsBefore = new AsyncDisposableStack();
  const endsAfter = new AsyncDisposableStack();
  try {
    for (const duty of duties) {
      if (isWanted(duty)) (duty.outlivesQueue ? endsAfter : endsBefore).defer(await duty.start(app));
    }
  } catch (error) {
    await endsBefore.disposeAsync();
    await endsAfter.disposeAsync();
    throw error;
  }
  return { end: () => endsBefore.disposeAsync(), endAfterQueue: () => endsAfter.disposeAsync() };
}
