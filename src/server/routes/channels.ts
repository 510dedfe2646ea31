import { accountOf } from "#accounts/session.ts";
import { openUnsubscribe, unsubscribe } from "#alerts/unsubscribe.ts";
import { putChannelAddress } from "#channel-settings/put-channel-address.ts";
import { readChannels } from "#channel-settings/read-channels.ts";
import { sendTest } from "#channel-settings/send-test.ts";
import { setDeliverySchedule } from "#channel-settings/set-delivery-schedule.ts";
import { channels, placeOf } from "#channels/channel-list.ts";
import { AppError } from "#contract/errors.ts";
import { assertInPlan } from "#plans/assert-channel.ts";
import { planById } from "#plans/plans.ts";
import { limitAttempts } from "#request-limits/limit-attempts.ts";
import { removeChannel } from "#storage/channels.ts";
import { listPaces } from "#storage/delivery-schedules.ts";
import { renewBotToken } from "#telegram-bot/renew-bot-token.ts";
import { isFromTelegram } from "#telegram-bot/start-telegram-bot.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { plainPage } from "./plain-page.ts";

/** How often a user may try a channel or a trigger; saving an address, which may contact it, is counted apart. */
export const testLimit = { uses: 10, windowSeconds: 60 };

export const deliveryHandlers: Handlers<
  | "channels"
  | "putChannelAddress"
  | "removeChannel"
  | "paces"
  | "putPace"
  | "testChannel"
  | "renewBotToken"
  | "unsubscribePage"
  | "unsubscribe"
  | "telegramWebhook"
> = {
  channels: (app, { actor }) => readChannels(app.alerts, actor),
  async putChannelAddress(app, { actor, params: { channel }, body, request }) {
    await limitAttempts(app.db, `channel-saves:${actor.accountId}`, testLimit, "attempts");
    // Some receivers are asked whether they know the address, and may never answer.
    request.slot?.leave();
    const label = await putChannelAddress(app.alerts, actor, channel, body);
    return { code: "CHANNEL_UPDATED", message: `Alerts go to the ${placeOf(channel)} "${label}".` };
  },
  async removeChannel(app, { actor, params: { channel } }) {
    await removeChannel(app.db, actor.accountId, channel);
    return { code: "CHANNEL_REMOVED", message: `No more alerts go to ${channels[channel].name}.` };
  },
  paces: async (app, { actor }) => ({ paces: await listPaces(app.db, actor.accountId) }),
  async putPace(app, { actor, params: { channel }, body }) {
    await setDeliverySchedule(app.alerts, actor, channel, body);
    return { code: "PACE_UPDATED", message: `${channels[channel].name} follows this schedule from now on.` };
  },
  async testChannel(app, { actor, params: { channel }, request }) {
    await limitAttempts(app.db, `tests:${actor.accountId}`, testLimit, "tests");
    const account = await accountOf(app, actor);
    assertInPlan(planById(account.plan_id), channel);
    // The receiver may never answer, and other callers of this address must not wait for it.
    request.slot?.leave();
    const result = await sendTest(app.alerts, account, channel);
    if (!result.ok) throw new AppError("CHANNEL_FAILED", result.failure.message);
    return { code: "TEST_SENT", message: `A test alert was sent by ${channels[channel].name}.` };
  },
  async renewBotToken(app, { actor }) {
    const token = await renewBotToken(app.alerts, app.db, actor.accountId);
    return { code: "TOKEN_RENEWED", message: "The old bot token no longer works.", token };
  },
  async unsubscribePage(app, { params, reply }) {
    const known = openUnsubscribe(app.alerts, params.token) !== undefined;
    const body = known
      ? `<h1>Turn off email alerts?</h1><p>Other channels and the notifications in Watchglass stay as they are.</p><form method="post"><button>Turn off</button></form>`
      : "<h1>This link is not valid</h1><p>Alerts by mail can be switched off in the profile.</p>";
    return reply
      .status(known ? 200 : 404)
      .type("text/html")
      .send(plainPage(body));
  },
  async unsubscribe(app, { params, reply }) {
    const done = await unsubscribe(app.alerts, params.token);
    const body = done
      ? "<h1>Alerts by mail are switched off</h1><p>They can be switched on again in the profile.</p>"
      : "<h1>This link is not valid</h1><p>Alerts by mail can be switched off in the profile.</p>";
    return reply
      .status(done ? 200 : 404)
      .type("text/html")
      .send(plainPage(body));
  },
  async telegramWebhook(app, { body, request }) {
    const { bot } = app;
    if (!bot || !isFromTelegram(app, request.headers["x-telegram-bot-api-secret-token"])) {
      throw new AppError("NOT_FOUND");
    }
    await bot.handle(body);
    return {};
  },
};
