import { expect, test } from "vitest";
import { channelIds, hasChannel, lastResort, plansWith } from "./channels.ts";
import { plans } from "./plans.ts";

test("every plan has what stands in for the others; the rest come with the paid ones", () => {
  expect(plans.map((plan) => channelIds.filter((id) => hasChannel(plan, id)))).toEqual([
    ["email"],
    channelIds,
    channelIds,
  ]);
  expect(plansWith(lastResort)).toEqual(plans);
});
