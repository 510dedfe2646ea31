import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Batches items that are requested one by one within one turn of the event loop. One batch runs at a time, and what is
 * requested meanwhile becomes the next. If a batch fails, each item is tried alone, so that none fails because of
 * another.
 */
export function inBatches<Item, Answer>(
  work: (items: Item[]) => Promise<(Answer | Promise<Answer>)[]>,
  maxItems = 50,
): (item: Item) => Promise<Answer> {
  type Waiting = {
    item: Item;
    resolve: (answer: Answer | Promise<Answer>) => void;
    reject: (error: unknown) => void;
  };
  const waiting: Waiting[] = [];
  let isBusy = false;

  async function runBatch(batch: Waiting[]): Promise<void> {
    try {
      const answers = await work(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer);
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      for (const one of batch) await runBatch([one]);
    }
  }

  async function drain(): Promise<void> {
    isBusy = true;
    await nextTurn();
    while (waiting.length > 0) await runBatch(waiting.splice(0, maxItems));
    isBusy = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting.push({ item, resolve, reject });
    if (!isBusy) void drain();
    return promise;
  };
}
