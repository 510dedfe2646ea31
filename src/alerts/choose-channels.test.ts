import { describe, expect, test } from "vitest";
import { channelIds } from "#contract/channels.ts";
import { chooseChannels } from "./choose-channels.ts";

const account = {
  plan_id: "ultimate",
  activated_at: new Date(0),
  telegram_notifications: true,
  email_notifications: true,
};
const row = (kind: "telegram" | "discord" | "email", given: object = {}) => ({
  kind,
  failure: null,
  gone: false,
  ...given,
});
const both = [row("telegram"), row("discord")];
const mailOff = { ...account, email_notifications: false };

describe("which channels an event goes to", () => {
  test.each([
    ["all that are set up and switched on", account, both, ["telegram", "discord", "email"]],
    [
      "not Telegram when it is switched off",
      { ...account, telegram_notifications: false },
      both,
      ["discord", "email"],
    ],
    ["not mail when it is switched off", mailOff, both, ["telegram", "discord"]],
    ["mail all the same when Telegram is wanted but not linked", mailOff, [], ["email"]],
    ["mail all the same when the chat is gone", mailOff, [row("telegram", { gone: true })], ["email"]],
    ["no mail for a Telegram that is not wanted", { ...mailOff, telegram_notifications: false }, [], []],
    ["no mail in Telegram's place while Discord works", mailOff, [row("discord")], ["discord"]],
    ["no mail after an unsubscription", mailOff, [row("email", { gone: true, failure: "x" })], []],
    ["mail alone on the Basic plan", { ...account, plan_id: "basic" }, both, ["email"]],
    ["nothing on the Basic plan with mail off", { ...mailOff, plan_id: "basic" }, both, []],
    [
      "N1 no mail to an address that is not confirmed",
      { ...account, activated_at: null },
      both,
      ["telegram", "discord"],
    ],
    [
      "a channel that failed is tried again",
      account,
      [row("telegram", { failure: "down" })],
      ["telegram", "email"],
    ],
  ])("%s", (_, settings, rows, channels) => {
    expect(chooseChannels(settings, rows, channelIds).chosen).toEqual(channels);
  });

  test("without a bot nobody misses Telegram", () => {
    expect(chooseChannels(mailOff, [row("telegram")], ["discord", "email"]).chosen).toEqual([]);
  });

  test("that a channel fails is told by the others", () => {
    const failing = [row("telegram", { failure: "down" }), row("discord")];
    expect(chooseChannels(account, failing, channelIds, true).chosen).toEqual(["discord", "email"]);
    expect(
      chooseChannels(account, [row("telegram"), row("email", { failure: "refused" })], channelIds, true)
        .chosen,
    ).toEqual(["telegram"]);
  });

  test("why the others do not", () => {
    const whys = (
      settings: typeof account,
      rows: Parameters<typeof chooseChannels>[1],
      open = channelIds as string[],
    ) =>
      Object.fromEntries(
        chooseChannels(settings, rows, open as typeof channelIds).passedOver.map(({ channel, why }) => [
          channel,
          why,
        ]),
      );
    expect(whys({ ...mailOff, telegram_notifications: false }, [row("telegram")])).toMatchObject({
      telegram: "off",
      discord: "missing",
      email: "off",
    });
    expect(whys({ ...account, plan_id: "basic" }, both)).toMatchObject({ telegram: "plan", discord: "plan" });
    expect(
      whys(account, [row("telegram", { gone: true }), row("discord")], ["discord", "email"]),
    ).toMatchObject({
      telegram: "closed",
    });
    expect(whys(account, [row("telegram", { gone: true }), row("discord")])).toMatchObject({
      telegram: "gone",
    });
  });
});
