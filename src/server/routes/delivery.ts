import { limitAttempts } from "#accounts/limit-attempts.ts";
import { accountOf } from "#accounts/session.ts";
import { assertInPlan } from "#alerts/assert-in-plan.ts";
import { keepPace } from "#alerts/keep-pace.ts";
import { putChannelAddress } from "#alerts/put-channel-address.ts";
import { readChannels } from "#alerts/read-channels.ts";
import { renewBotToken } from "#alerts/renew-bot-token.ts";
import { runTriggerAgain } from "#alerts/run-trigger-again.ts";
import { sendTest } from "#alerts/send-test.ts";
import { renewSigningSecret } from "#alerts/signing-secret.ts";
import { testTrigger } from "#alerts/test-trigger.ts";
import { openUnsubscribe, unsubscribe } from "#alerts/unsubscribe.ts";
import { channels, placeOf } from "#contract/channels.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#contract/plans.ts";
import { removeChannel } from "#storage/channels.ts";
import { listPaces } from "#storage/paces.ts";
import type { Handlers } from "../register-routes.ts";
import { isFromTelegram } from "../telegram.ts";
import { plainPage } from "./plain-page.ts";

const tests = { uses: 10, windowSeconds: 60 };

export const deliveryHandlers: Handlers<
  | "channels"
  | "putChannelAddress"
  | "removeChannel"
  | "paces"
  | "putPace"
  | "testChannel"
  | "renewBotToken"
  | "renewSigningSecret"
  | "testTrigger"
  | "runTriggerAgain"
  | "unsubscribePage"
  | "unsubscribe"
  | "telegramWebhook"
> = {
  channels: (app, { actor }) => readChannels(app.alerts, actor),
  async putChannelAddress(app, { actor, params: { channel }, body }) {
    await limitAttempts(app.db, `tests:${actor.accountId}`, tests, "attempts");
    const label = await putChannelAddress(app.alerts, actor, channel, body);
    return { code: "CHANNEL_UPDATED", message: `Alerts go to the ${placeOf(channel)} "${label}".` };
  },
  async removeChannel(app, { actor, params: { channel } }) {
    await removeChannel(app.db, actor.accountId, channel);
    return { code: "CHANNEL_REMOVED", message: `No more alerts go to ${channels[channel].name}.` };
  },
  paces: async (app, { actor }) => ({ paces: await listPaces(app.db, actor.accountId) }),
  async putPace(app, { actor, params: { channel }, body }) {
    await keepPace(app.alerts, actor, channel, body);
    return { code: "PACE_UPDATED", message: `${channels[channel].name} keeps to it from now on.` };
  },
  async testChannel(app, { actor, params: { channel } }) {
    await limitAttempts(app.db, `tests:${actor.accountId}`, tests, "tests");
    const account = await accountOf(app, actor);
    assertInPlan(planById(account.plan_id), channel);
    const result = await sendTest(app.alerts, account, channel);
    if (!result.ok) throw new AppError("CHANNEL_FAILED", result.failure.message);
    return { code: "TEST_SENT", message: `A test alert was sent by ${channels[channel].name}.` };
  },
  async renewBotToken(app, { actor }) {
    const token = await renewBotToken(app.alerts, app.db, actor.accountId);
    return { code: "TOKEN_RENEWED", message: "The old bot token does not work any more.", token };
  },
  async renewSigningSecret(app, { actor }) {
    const secret = await renewSigningSecret(app.alerts, actor.accountId);
    return {
      code: "SECRET_RENEWED",
      message: "Triggers are signed with the new secret from now on. It is shown this once.",
      secret,
    };
  },
  async testTrigger(app, { actor, body }) {
    await limitAttempts(app.db, `tests:${actor.accountId}`, tests, "tests");
    const { failure, ...result } = await testTrigger(app.alerts, actor, body);
    return { ...result, error: failure?.message ?? null };
  },
  async runTriggerAgain(app, { actor, params }) {
    await limitAttempts(app.db, `tests:${actor.accountId}`, tests, "runs");
    return runTriggerAgain(app.alerts, actor, params.jobId, params.executionId);
  },
  async unsubscribePage(app, { params, reply }) {
    const known = openUnsubscribe(app.alerts, params.token) !== undefined;
    const body = known
      ? `<h1>No more alerts by mail?</h1><p>Other channels and the notifications in Watchglass stay as they are.</p><form method="post"><button>Switch them off</button></form>`
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
