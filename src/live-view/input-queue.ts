import type { LiveInput } from "#contract/live-view.ts";

const mostWaiting = 300;

/** Does what a user does one after the other. Of several moves in a row, only the last is done. */
export function openInputQueue(
  act: (input: LiveInput) => Promise<void>,
  { onTooMany, onError }: { onTooMany: () => void; onError: (error: unknown) => void },
) {
  const waiting: LiveInput[] = [];
  let isWorking = false;
  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (let input = waiting.shift(); input; input = waiting.shift()) await act(input).catch(onError);
    isWorking = false;
  }
  return (input: LiveInput) => {
    if (input.type === "move" && waiting.at(-1)?.type === "move") waiting.pop();
    if (waiting.length >= mostWaiting) return onTooMany();
    waiting.push(input);
    void work();
  };
}
