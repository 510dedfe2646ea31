import { setImmediate as turn } from "node:timers/promises";

/**
 * Does things together that are asked for one by one within one turn of the loop: one batch at a time, and what is asked
 * for meanwhile is the next.
 * Where a batch fails, each is done alone, so that nobody answers for another's fault.
 */
export function inBatches<Item, Answer>(
  work: (items: Item[]) => Promise<(Answer | Promise<Answer>)[]>,
  most = 50,
): (item: Item) => Promise<Answer> {
  type Waiting = {
    item: Item;
    resolve: (answer: Answer | Promise<Answer>) => void;
    reject: (error: unknown) => void;
  };
  const waiting: Waiting[] = [];
  let isBusy = false;

  async function doAll(batch: Waiting[]): Promise<void> {
    try {
      const answers = await work(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer);
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      for (const one of batch) await doAll([one]);
    }
  }

  async function drain(): Promise<void> {
    isBusy = true;
    await turn();
    while (waiting.length > 0) await doAll(waiting.splice(0, most));
    isBusy = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting.push({ item, resolve, reject });
    if (!isBusy) void drain();
    return promise;
  };
}
