/** A file that is not what it should be: the sentence says why. */
export class UnreadableFile extends Error {}

/** What a thread answers: classes of errors do not survive the way between threads, so a refusal is a value. */
export type ThreadAnswer<T> = { value: T } | { refusal: string };

/** Turns a refusal into an answer that can be sent to another thread. */
export async function toAnswer<T>(work: () => T | Promise<T>): Promise<ThreadAnswer<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refusal: error.message };
    throw error;
  }
}
