import { expect, test, vi } from "vitest";
import { takeTurns } from "./take-turns.ts";

const free = { take: async () => async () => undefined, close: async () => undefined };
const held = (owner: string, place: string) => ({ owner, place });

test("the last free place is for an account that has none", () => {
  const { choose } = takeTurns(
    () => free,
    () => 2,
  );
  const inPlace = [held("a", "x"), held("a", "y"), held("b", "z")];
  expect(choose(1, inPlace)).toMatchObject({ busyOwners: ["a", "b"], perOwner: 1 });
  expect(choose(3, [held("a", "x")])).toMatchObject({ busyOwners: [], perOwner: 2 });
});

test("a host is full by its own width, and one that others have filled is not tried again at once", async () => {
  const { choose, slots } = takeTurns(
    () => ({ ...free, take: async (host) => (host === "taken" ? undefined : async () => undefined) }),
    (host) => (host === "wide" ? 3 : 1),
  );
  const inPlace = [held("a", "wide"), held("a", "wide"), held("a", "narrow")];
  expect(choose(5, inPlace).fullPlaces).toEqual(["narrow"]);
  expect(await slots.take("taken")).toBeUndefined();
  expect(choose(5, []).fullPlaces).toEqual(["taken"]);
});

test("a host that answers slowly is asked one at a time until it is quick again", async () => {
  vi.useFakeTimers();
  const { choose, slots } = takeTurns(
    () => free,
    () => 2,
  );
  const visit = async (ms: number) => {
    const release = await slots.take("x");
    vi.advanceTimersByTime(ms);
    release?.();
  };
  await visit(12_000);
  expect(choose(5, [held("a", "x")]).fullPlaces).toEqual(["x"]);
  await visit(200);
  expect(choose(5, [held("a", "x")]).fullPlaces).toEqual([]);
  vi.useRealTimers();
});
