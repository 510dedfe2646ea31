/** A file that isn't what it should be; the message is a sentence that says why. */
export class UnreadableFile extends Error {}

/** A thread's reply. Error classes are lost between threads, so a refusal is sent as a value. */
export type ThreadAnswer<T> = { value: T } | { refusal: string };

/** Runs the work and turns a refusal into a reply that can be sent to another thread. */
export async function toThreadAnswer<T>(work: () => T | Promise<T>): Promise<ThreadAnswer<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refusal: error.message };
    throw error;
  }
}
