import { expect, test } from "vitest";
import { seriesOf } from "./series-of.ts";

test("the minimum and maximum are written as the page writes the value; a missing one is counted", () => {
  const prices: [string, number][] = [
    ["€ 45.40", 45.4],
    ["€ 18.40", 18.4],
    ["€ 1,200.00", 1200],
  ];
  const points = [
    ...prices.map(([text, number]) => ({ text, number })),
    { text: null, number: null },
    { text: "€ 45.40", number: 45.4 },
  ].map((price, i) => ({
    id: `${i}`,
    index: i,
    createdAt: `2026-11-0${i + 1}T00:00:00.000Z`,
    values: { price },
  }));
  const { now, least, most, missing } = seriesOf(
    "price",
    points as unknown as Parameters<typeof seriesOf>[1],
  );
  expect([now?.text, least?.text, most?.text, missing]).toEqual(["€ 45.40", "€ 18.40", "€ 1,200.00", 1]);
});
