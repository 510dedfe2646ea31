import { expect, test } from "vitest";
import { plans } from "#plans/plans.ts";
import { channelIds, fallbackChannel, hasChannel, plansWithChannel } from "./channel-list.ts";

test("every plan includes the fallback channel; the other channels come with the paid plans", () => {
  expect(plans.map((plan) => channelIds.filter((id) => hasChannel(plan, id)))).toEqual([
    ["email"],
    channelIds,
    channelIds,
  ]);
  expect(plansWithChannel(fallbackChannel)).toEqual(plans);
});
