import { expect, test } from "vitest";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { createMissFinder, injected } from "./find-injected.ts";
import { places } from "./injections.ts";

const shown = (content: string, seed: number) =>
  snapshotOf(
    `<html><head><title>Rules</title><script nonce="${seed}x7Q">window.t=${seed}</script></head><body>
    <header>House of guests</header><main><h1>House rules</h1>
    <p>Guests keep the kitchen clean and lock the door when they leave.</p>
    <p>The deposit is paid back after the last check of the rooms.</p></main>${content}</body></html>`,
    "html",
    "https://www.house.test/",
  );

const locationNames = Object.keys(places);
const names = [...new Set(injected().map(({ name }) => name))];
// Each attack at about every sixth location; the bench tries all of them.
const sample = injected().filter(
  ({ place, name }) => (names.indexOf(name) + locationNames.indexOf(place)) % 6 === 0,
);

test.each(locationNames)("attacks in a page's %s are found, however much was learned", (place) => {
  const missed = createMissFinder(shown);
  const found = sample
    .filter((one) => one.place === place)
    .flatMap((one) => missed(one).map((way) => `${one.name}: ${way}`));
  expect(found).toEqual([]);
});

test("content that changes by itself is not reported as an attack", () => {
  const nothing = { name: "", place: "advertisement", before: "", after: "", grave: false };
  expect(createMissFinder(shown)(nothing)).toHaveLength(5);
});
