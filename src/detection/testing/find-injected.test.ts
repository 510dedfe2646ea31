import { expect, test } from "vitest";
import { snapshotOf } from "../snapshot-of.ts";
import { injected, watchFor } from "./find-injected.ts";
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

const stands = Object.keys(places);
const names = [...new Set(injected().map(({ name }) => name))];
// Each attack in every sixth place or so; the bench tries all.
const sample = injected().filter(
  ({ place, name }) => (names.indexOf(name) + stands.indexOf(place)) % 6 === 0,
);

test.each(stands)("attacks are found in a page's %s, however much was learned", (place) => {
  const missed = watchFor(shown);
  const found = sample
    .filter((one) => one.place === place)
    .flatMap((one) => missed(one).map((way) => `${one.name}: ${way}`));
  expect(found).toEqual([]);
});

test("a place that changes by itself is no attack", () => {
  const nothing = { name: "", place: "advertisement", before: "", after: "", grave: false };
  expect(watchFor(shown)(nothing)).toHaveLength(5);
});
