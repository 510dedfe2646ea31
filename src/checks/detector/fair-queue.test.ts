import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

/** A queue whose work ends when it is told to; `begun` says in which order it began. */
function open(limits: ConstructorParameters<typeof FairQueue>[0]) {
  const queue = new FairQueue(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (owner: string, name: string, isLarge = false) =>
    queue.run(owner, isLarge, () => {
      begun.push(name);
      return new Promise<void>((end) => void ends.set(name, end));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queue, begun, ask, end };
}
const settled = () => new Promise(setImmediate);

test("whatever one owner has waiting, another begins at once", async () => {
  const { queue, begun, ask, end } = open({ slots: 2, reserved: 1, large: 1 });
  for (let n = 1; n <= 34; n++) void ask("a", `a${n}`);
  void ask("b", "b1");
  void ask("b", "b2");
  await settled();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  expect([queue.busy, queue.waiting]).toEqual([3, 33]);
  // The reserved slot is for who has nothing running.
  await end("b1");
  expect(begun.at(-1)).toBe("b2");
  await end("b2");
  expect(begun).toHaveLength(4);
});

test("owners take turns, each with its own in order", async () => {
  const { begun, ask, end } = open({ slots: 1, reserved: 0, large: 1 });
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void ask(name[0] ?? "", name);
  await settled();
  for (const name of ["a1", "b1", "c1", "a2", "b2"]) await end(name);
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("large ones leave a slot to others, and what is smaller does not wait for them", async () => {
  const { begun, ask, end } = open({ slots: 2, reserved: 0, large: 1 });
  void ask("a", "large 1", true);
  void ask("a", "large 2", true);
  void ask("a", "small");
  await settled();
  expect(begun).toEqual(["large 1", "small"]);
  await end("large 1");
  expect(begun.at(-1)).toBe("large 2");
});

test("what fails makes room as well", async () => {
  const queue = new FairQueue({ slots: 1, reserved: 0, large: 1 });
  const failed = queue.run("a", false, () => Promise.reject(new Error("no")));
  const next = queue.run("b", false, async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});
