import { setTimeout as sleep } from "node:timers/promises";

/**
 * Records what can't be taken back, such as a message that was sent. It tries for a minute: a database that is away, or
 * too busy to answer in time, must not cause a second message.
 */
export async function retryRecording<T>(
  record: () => Promise<T>,
  { attempts = 60, pauseMs = 1_000 } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await record();
    } catch (error) {
      if (attempt === attempts) throw error;
      await sleep(pauseMs);
    }
  }
}
