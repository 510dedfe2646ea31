import { accountOf } from "#accounts/session.ts";
import type { Actor } from "#contract/actor.ts";
import { type ChannelId, isPlain } from "#contract/channels.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#contract/plans.ts";
import type { MessagePreview, Template } from "#contract/template.ts";
import type { Alert } from "#delivery/alert.ts";
import { alertLines, titleText } from "#delivery/alert-text.ts";
import { alertValues } from "#delivery/alert-values.ts";
import { fillMessage, refuseTemplate } from "#delivery/fill-message.ts";
import { fillWebhook, refuseWebhook } from "#delivery/fill-webhook.ts";
import { type GivenAddress, packAddress, unpackAddress } from "#delivery/given-address.ts";
import { fitLines, plainMarkup, writeLine } from "#delivery/rich-text.ts";
import { findChannel, keepSecret } from "#storage/channels.ts";
import { findNewestChange } from "#storage/notifications.ts";
import { listTemplates, putTemplate } from "#storage/templates.ts";
import { assertInPlan } from "./assert-in-plan.ts";
import { describeAlert } from "./build-alert.ts";
import { channelSecret, sealedFor } from "./channel-secret.ts";
import type { Deps } from "./deps.ts";
import { testAlert } from "./send-test.ts";
import { roomFor } from "./send-to.ts";

/** In which words each channel of an account tells. */
export async function readTemplates(
  deps: Deps,
  { accountId }: Actor,
): Promise<Partial<Record<ChannelId, Template>>> {
  const [kept, webhook] = await Promise.all([listTemplates(deps.db, accountId), webhookOf(deps, accountId)]);
  if (!webhook) return kept;
  const { template = "", format = "json" } = webhook;
  return { ...kept, webhook: { title: "", text: template, format } };
}

/** A webhook's words are kept with its address: both may hold a secret. */
async function webhookOf(deps: Deps, accountId: string): Promise<GivenAddress | null> {
  const row = await findChannel(deps.db, accountId, "webhook");
  const secret = row && channelSecret(deps, row);
  return secret ? unpackAddress(secret) : null;
}

function assertTemplate(channel: ChannelId, { title, text, format }: Template): void {
  const reason = channel === "webhook" ? refuseWebhook({ template: text, format }) : null;
  const refusal =
    channel === "webhook" ? reason && { field: "text", reason } : refuseTemplate({ title, text });
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: refusal.field });
}

/** Has a channel tell in these words from now on; in ours where they are empty. */
export async function keepTemplate(
  deps: Deps,
  actor: Actor,
  channel: ChannelId,
  template: Template,
): Promise<void> {
  const account = await accountOf(deps, actor);
  assertInPlan(planById(account.plan_id), channel);
  assertTemplate(channel, template);
  if (channel !== "webhook") {
    const isEmpty = template.title === "" && template.text.trim() === "";
    await putTemplate(deps.db, account.id, channel, isEmpty ? null : template);
    return;
  }
  const webhook = await webhookOf(deps, account.id);
  if (!webhook) throw new AppError("NOT_FOUND", "This channel is not set up.");
  const { text, format } = template;
  const packed = packAddress({ ...webhook, template: text, format });
  await keepSecret(deps.db, account.id, channel, deps.secrets.seal(packed, sealedFor(channel, account.id)));
}

/** The account's newest change as a channel would tell it. */
export async function previewTemplate(
  deps: Deps,
  actor: Actor,
  channel: ChannelId,
  template: Template,
): Promise<MessagePreview> {
  assertTemplate(channel, template);
  const notification = await findNewestChange(deps.db, actor.accountId);
  const { alert, change } = notification
    ? await describeAlert(deps, notification)
    : { alert: testAlert(deps.baseUrl), change: undefined };
  const of = notification && { job: alert.title, at: alert.at.toISOString(), link: alert.link };
  if (channel === "webhook") {
    const body = fillWebhook({ template: template.text, format: template.format }, alertValues(alert));
    const lines = pretty(body).split("\n");
    return {
      of: of ?? null,
      title: "",
      lines: fitLines(
        lines.map((text) => [{ text }]),
        20_000,
      ),
    };
  }
  const hasPicture = Boolean(change?.before?.picture && change.execution.picture);
  const sender = deps.channels[channel];
  const own = fillMessage(template, alert, sender ? roomFor(sender, hasPicture) : 3_000);
  const told: Alert = { ...alert, own };
  const lines = alertLines(told, 4_000);
  return {
    of: of ?? null,
    title: titleText(told, 200),
    lines: isPlain(channel) ? lines.map((line) => [{ text: writeLine(line, plainMarkup) }]) : lines,
  };
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
