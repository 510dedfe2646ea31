import { expect, test, vi } from "vitest";
import { shareFairly } from "./fair-shares.ts";

const freeSlots = { take: async () => async () => undefined, close: async () => undefined };
const held = (owner: string, place: string) => ({ owner, place });
const sources = { openSlots: () => freeSlots, widthOf: () => 2, listSharedHosts: async () => [] as string[] };

test("the last free slot is for an account that has none", () => {
  const { choose } = shareFairly(sources);
  const running = [held("a", "x"), held("a", "y"), held("b", "z")];
  expect(choose(1, running)).toMatchObject({ busyOwners: ["a", "b"], maxPerOwner: 1 });
  expect(choose(3, [held("a", "x")])).toMatchObject({ busyOwners: [], maxPerOwner: 2 });
});

test("a host is full at its own limit, and one that other workers have filled isn't tried again at once", async () => {
  const { choose, slots } = shareFairly({
    ...sources,
    openSlots: () => ({
      ...freeSlots,
      take: async (host) => (host === "taken" ? undefined : async () => undefined),
    }),
    widthOf: (host) => (host === "wide" ? 3 : 1),
  });
  const running = [held("a", "wide"), held("a", "wide"), held("a", "narrow")];
  expect(choose(5, running).fullPlaces).toEqual(["narrow"]);
  expect(await slots.take("taken")).toBeUndefined();
  expect(choose(5, []).fullPlaces).toEqual(["taken"]);
});

test("an account gets one slot at a time at a host that answers it slowly, until the host is fast again", async () => {
  vi.useFakeTimers();
  const { choose, slots } = shareFairly(sources);
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

test("at a host that several accounts watch, the last slot is for an account that holds none there", async () => {
  const { choose } = shareFairly({ ...sources, listSharedHosts: async () => ["x"] });
  choose(5, []);
  await new Promise(setImmediate);
  expect(choose(5, [held("a", "x"), held("a", "y")]).closed).toEqual([held("a", "x")]);
});

test("the account that was served longest ago is next at a shared host", async () => {
  const { choose, slots } = shareFairly(sources);
  for (const owner of ["a", "b", "a", "c"]) (await slots.take("x", owner))?.();
  (await slots.take("alone", "a"))?.();
  expect(choose(5, []).served).toEqual([held("b", "x"), held("a", "x"), held("c", "x")]);
});
