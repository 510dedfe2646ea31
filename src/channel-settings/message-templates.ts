import { accountOf } from "#accounts/session.ts";
import { describeAlert } from "#alerts/build-alert.ts";
import { channelSecretContext, openChannelSecret } from "#alerts/channel-secret.ts";
import type { Deps } from "#alerts/deps.ts";
import { roomFor } from "#alerts/send-to-channel.ts";
import { type ChannelId, isPlain } from "#channels/channel-list.ts";
import { type EnteredAddress, packAddress, unpackAddress } from "#channels/entered-address.ts";
import { fillWebhook, refuseWebhook } from "#channels/webhook-template.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { MessagePreview, Template } from "#contract/template.ts";
import type { Alert } from "#message-templates/alert.ts";
import { alertLines, titleText } from "#message-templates/alert-text.ts";
import { alertValues } from "#message-templates/alert-values.ts";
import { fillMessage, refuseMessage } from "#message-templates/message-template.ts";
import { fitLines, plainMarkup, writeLine } from "#message-templates/rich-text.ts";
import { assertInPlan } from "#plans/assert-channel.ts";
import { planById } from "#plans/plans.ts";
import { findChannel, keepSecret } from "#storage/channels.ts";
import { findNewestChange } from "#storage/notifications.ts";
import { listTemplates, putTemplate } from "#storage/templates.ts";
import { testAlert } from "./send-test.ts";

/** Reads the message templates of an account's channels. */
export async function readTemplates(
  deps: Deps,
  { accountId }: Actor,
): Promise<Partial<Record<ChannelId, Template>>> {
  const [saved, webhook] = await Promise.all([listTemplates(deps.db, accountId), webhookOf(deps, accountId)]);
  if (!webhook) return saved;
  const { template = "", format = "json" } = webhook;
  return { ...saved, webhook: { title: "", text: template, format } };
}

/** A webhook's template is stored with its address, because both may contain a secret. */
async function webhookOf(deps: Deps, accountId: string): Promise<EnteredAddress | null> {
  const row = await findChannel(deps.db, accountId, "webhook");
  const secret = row && openChannelSecret(deps, row);
  return secret ? unpackAddress(secret) : null;
}

function assertTemplate(channel: ChannelId, { title, text, format }: Template): void {
  const reason = channel === "webhook" ? refuseWebhook({ template: text, format }) : null;
  const refusal =
    channel === "webhook" ? reason && { field: "text", reason } : refuseMessage({ title, text });
  if (refusal) throw new AppError("INVALID_INPUT", refusal.reason, { field: refusal.field });
}

/** Saves a channel's template for future messages; an empty template restores our own text. */
export async function saveTemplate(
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
  if (!webhook) throw new AppError("NOT_FOUND", "This channel isn’t set up.");
  const { text, format } = template;
  const packed = packAddress({ ...webhook, template: text, format });
  await keepSecret(
    deps.db,
    account.id,
    channel,
    deps.secrets.seal(packed, channelSecretContext(channel, account.id)),
  );
}

/** Shows the account's newest change as the channel would send it. */
export async function previewTemplate(
  deps: Deps,
  actor: Actor,
  channel: ChannelId,
  { jobId, ...template }: Template & { jobId?: string | undefined },
): Promise<MessagePreview> {
  assertTemplate(channel, template);
  const notification = await findNewestChange(deps.db, actor.accountId, jobId);
  const { alert, change } = notification
    ? await describeAlert(deps, notification, `${template.title} ${template.text}`)
    : { alert: testAlert(deps.baseUrl), change: undefined };
  const source = notification && { job: alert.title, at: alert.at.toISOString(), link: alert.link };
  if (channel === "webhook") {
    const own = alert.jobMessage && fillMessage(alert.jobMessage, alert, 18_000);
    const values = alertValues(own ? { ...alert, own } : alert);
    const body = fillWebhook({ template: template.text, format: template.format }, values);
    const lines = formatJson(body).split("\n");
    return {
      of: source ?? null,
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
  const filledAlert: Alert = { ...alert, own };
  const lines = alertLines(filledAlert, 4_000);
  return {
    of: source ?? null,
    title: titleText(filledAlert, 200),
    lines: isPlain(channel) ? lines.map((line) => [{ text: writeLine(line, plainMarkup) }]) : lines,
  };
}

function formatJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
