import { expect, test } from "vitest";
import { channelIds, hasChannel, lastResort, plansWith } from "./channels.ts";
import { plans } from "./plans.ts";

test("every plan has what stands in for the others; the rest come with the paid ones", () => {
  expect(plans.map((plan) => channelIds.filter((id) => hasChannel(plan, id)))).toEqual([
    ["email"],
    ["email", "telegram", "discord"],
    ["email", "telegram", "discord"],
  ]);
  expect(plansWith(lastResort)).toEqual(plans);
});
