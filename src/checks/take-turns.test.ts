import { expect, test, vi } from "vitest";
import { takeTurns } from "./take-turns.ts";

const free = { take: async () => async () => undefined, close: async () => undefined };
const held = (owner: string, place: string) => ({ owner, place });
const sources = { openSlots: () => free, widthOf: () => 2, listSharedHosts: async () => [] as string[] };

test("the last free place is for an account that has none", () => {
  const { choose } = takeTurns(sources);
  const inPlace = [held("a", "x"), held("a", "y"), held("b", "z")];
  expect(choose(1, inPlace)).toMatchObject({ busyOwners: ["a", "b"], perOwner: 1 });
  expect(choose(3, [held("a", "x")])).toMatchObject({ busyOwners: [], perOwner: 2 });
});

test("a host is full by its own width, and one that others have filled is not tried again at once", async () => {
  const { choose, slots } = takeTurns({
    ...sources,
    openSlots: () => ({
      ...free,
      take: async (host) => (host === "taken" ? undefined : async () => undefined),
    }),
    widthOf: (host) => (host === "wide" ? 3 : 1),
  });
  const inPlace = [held("a", "wide"), held("a", "wide"), held("a", "narrow")];
  expect(choose(5, inPlace).fullPlaces).toEqual(["narrow"]);
  expect(await slots.take("taken")).toBeUndefined();
  expect(choose(5, []).fullPlaces).toEqual(["taken"]);
});

test("a host that answers an account slowly is asked one at a time by it until it is quick again", async () => {
  vi.useFakeTimers();
  const { choose, slots } = takeTurns(sources);
  const visit = async (ms: number) => {
    const release = await slots.take("x", "a");
    vi.advanceTimersByTime(ms);
    release?.();
  };
  await visit(12_000);
  expect(choose(5, [held("a", "x")])).toMatchObject({ fullPlaces: [], closed: [held("a", "x")] });
  expect(choose(5, [held("b", "x")]).closed).toEqual([]);
  await visit(200);
  expect(choose(5, [held("a", "x")]).closed).toEqual([]);
  vi.useRealTimers();
});

test("at a host that several accounts watch, the last slot is for one that holds none there", async () => {
  const { choose } = takeTurns({ ...sources, listSharedHosts: async () => ["x"] });
  choose(5, []);
  await new Promise(setImmediate);
  expect(choose(5, [held("a", "x"), held("a", "y")]).closed).toEqual([held("a", "x")]);
});

test("whoever was let in at a shared host longest ago is next there", async () => {
  const { choose, slots } = takeTurns(sources);
  for (const owner of ["a", "b", "a", "c"]) (await slots.take("x", owner))?.();
  (await slots.take("alone", "a"))?.();
  expect(choose(5, []).served).toEqual([held("b", "x"), held("a", "x"), held("c", "x")]);
});
