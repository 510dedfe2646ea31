import { describe, expect, test } from "vitest";
import { channelIds } from "#channels/channel-list.ts";
import { chooseChannels } from "./choose-channels.ts";

const account = {
  plan_id: "ultimate",
  activated_at: new Date(0),
  telegram_notifications: true,
  email_notifications: true,
};
const row = (kind: "telegram" | "discord" | "email", overrides: object = {}) => ({
  kind,
  failure: null,
  gone: false,
  ...overrides,
});
const both = [row("telegram"), row("discord")];
const mailOff = { ...account, email_notifications: false };

describe("which channels an event goes to", () => {
  test.each([
    [
      "an event goes to all channels that are set up and switched on",
      account,
      both,
      ["telegram", "discord", "email"],
    ],
    [
      "Telegram is left out when it is switched off",
      { ...account, telegram_notifications: false },
      both,
      ["discord", "email"],
    ],
    ["mail is left out when it is switched off", mailOff, both, ["telegram", "discord"]],
    ["mail replaces Telegram when Telegram is switched on but not linked", mailOff, [], ["email"]],
    ["mail replaces Telegram when the chat is gone", mailOff, [row("telegram", { gone: true })], ["email"]],
    [
      "mail doesn't replace Telegram when Telegram is switched off",
      { ...mailOff, telegram_notifications: false },
      [],
      [],
    ],
    ["mail doesn't replace Telegram while Discord works", mailOff, [row("discord")], ["discord"]],
    [
      "a user who unsubscribed from mail gets none",
      mailOff,
      [row("email", { gone: true, failure: "x" })],
      [],
    ],
    ["the Basic plan has mail only", { ...account, plan_id: "basic" }, both, ["email"]],
    ["the Basic plan with mail switched off has no channel", { ...mailOff, plan_id: "basic" }, both, []],
    [
      "N1 an address that isn't confirmed gets no mail",
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

  test("mail doesn't replace Telegram on a server without a bot", () => {
    expect(chooseChannels(mailOff, [row("telegram")], ["discord", "email"]).chosen).toEqual([]);
  });

  test("the failure of a channel is reported through the channels that work", () => {
    const failing = [row("telegram", { failure: "down" }), row("discord")];
    expect(chooseChannels(account, failing, channelIds, true).chosen).toEqual(["discord", "email"]);
    expect(
      chooseChannels(account, [row("telegram"), row("email", { failure: "refused" })], channelIds, true)
        .chosen,
    ).toEqual(["telegram"]);
  });

  test("each channel that doesn't get the event has a reason", () => {
    const reasonsByChannel = (
      settings: typeof account,
      rows: Parameters<typeof chooseChannels>[1],
      openChannels = channelIds as string[],
    ) =>
      Object.fromEntries(
        chooseChannels(settings, rows, openChannels as typeof channelIds).passedOver.map(
          ({ channel, why }) => [channel, why],
        ),
      );
    expect(reasonsByChannel({ ...mailOff, telegram_notifications: false }, [row("telegram")])).toMatchObject({
      telegram: "off",
      discord: "missing",
      email: "off",
    });
    expect(reasonsByChannel({ ...account, plan_id: "basic" }, both)).toMatchObject({
      telegram: "plan",
      discord: "plan",
    });
    expect(
      reasonsByChannel(account, [row("telegram", { gone: true }), row("discord")], ["discord", "email"]),
    ).toMatchObject({
      telegram: "closed",
    });
    expect(reasonsByChannel(account, [row("telegram", { gone: true }), row("discord")])).toMatchObject({
      telegram: "gone",
    });
  });
});
