import { expect, test } from "vitest";
import type { LiveInput } from "#contract/live-view.ts";
import { openInputQueue } from "./input-queue.ts";

const move = (x: number): LiveInput => ({ type: "move", x, y: 0 });

test("inputs are done one after the other, of several moves the last, and too many end the live view", async () => {
  const done: string[] = [];
  let tooMany = 0;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const add = openInputQueue(
    async (input) => {
      await begun;
      done.push(input.type === "move" ? `move ${input.x}` : input.type);
      if (input.type === "back") throw new Error("there is no page before");
    },
    { onTooMany: () => tooMany++, onError: (error) => done.push((error as Error).message) },
  );
  add({ type: "back" });
  for (const x of [1, 2, 3]) add(move(x));
  add({ type: "finish" });
  for (let i = 0; i < 400; i++) add({ type: "paste", text: "a" });
  expect(tooMany).toBeGreaterThan(0);
  begin();
  await expect.poll(() => done.length).toBeGreaterThan(300);
  expect(done.slice(0, 4)).toEqual(["back", "there is no page before", "move 3", "finish"]);
});
