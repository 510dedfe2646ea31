import { channels } from "#channels/channel-list.ts";
import { feedPath, identitiesPath, incidentPath, viewerPath } from "#contract/links.ts";
import type { Opinion } from "#contract/second-opinion.ts";
import { changedTexts } from "#detection/change-summaries/changed-texts.ts";
import { inherit } from "#group-defaults/inherit.ts";
import { type ChangeRecord, readChange } from "#history/read-change.ts";
import { readFilteredPicture } from "#history/read-filtered-picture.ts";
import { drawBeforeAfter, type Mark } from "#images/draw-before-after.ts";
import type { Alert, ChangedLine, Word } from "#message-templates/alert.ts";
import { cut } from "#message-templates/rich-text.ts";
import type { TemplateValues } from "#message-templates/template.ts";
import { frequentChangeQuestion } from "#noise-feedback/frequent-change-question.ts";
import type { DeliveryWithNotification } from "#storage/deliveries.ts";
import { findIncident } from "#storage/incidents.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import { findOpinion } from "#storage/opinions.ts";
import { type CapturedValues, capturedValues } from "./captured-values.ts";
import type { Deps } from "./deps.ts";

const lineLimit = 20;
const findingLimit = 10;
const placeholderLimits = { text: 4_000, findings: 50, finding: 500 };

/** Builds the alert that a channel sends for a notification, with its picture and the values that its template uses. */
export async function buildAlert(
  deps: Deps,
  delivery: DeliveryWithNotification,
  template: string,
): Promise<Alert> {
  const { alert, change } = await describeAlert(deps, delivery.notification, template);
  return {
    ...alert,
    picture: change ? await drawChange(deps, delivery.account_id, change) : null,
    note: noteOf(delivery),
  };
}

/** Builds an alert without its picture, and reads the change that it reports. */
export async function describeAlert(
  deps: Deps,
  notification: NotificationRow,
  template: string,
): Promise<{ alert: Alert; change: ChangeRecord | undefined }> {
  const { job_id, execution_id, incident_id, account_id, kind } = notification;
  const read = job_id && execution_id ? await readChange(deps, account_id, job_id, execution_id) : undefined;
  const change = kind === "change" ? read : undefined;
  const jobMessage = change ? inherit(change.job, "message") : null;
  const texts = jobMessage ? [template, jobMessage.title, jobMessage.text] : [template];
  const captured = change ? await capturedValues(deps, change, texts.join(" ")) : {};
  const opinion = change
    ? await findOpinion(deps.db, account_id, change.execution.id)
    : incident_id && (await findIncident(deps.db, incident_id))?.opinion;
  const alert = toAlert(deps, notification, read, captured);
  return { alert: { ...alert, jobMessage, opinion: sentenceOf(opinion) }, change };
}

/** The part of an opinion that messages carry; null if there is none or it has no sentence. */
export const sentenceOf = (opinion: Pick<Opinion, "model" | "sentence"> | null | undefined | "") =>
  opinion && opinion.sentence ? { model: opinion.model, sentence: opinion.sentence } : null;

/** What an alert takes from its notification; a trigger has the same without one. */
type Notice = Pick<
  NotificationRow,
  "id" | "kind" | "severity" | "title" | "message" | "created_at" | "job_id" | "execution_id" | "incident_id"
>;

/** Describes a notification and the check that it is about; `captured` is what a template needs of the captures. */
export function toAlert(
  deps: Deps,
  notification: Notice,
  change: ChangeRecord | undefined,
  captured: CapturedValues,
): Alert {
  const { job_id, execution_id } = notification;
  const isChange = notification.kind === "change" && change !== undefined;
  const texts = isChange ? changedTexts(change.reasons) : [];
  const lines = texts.flatMap(toWordLines);
  const counted = isChange ? change.reasons.reduce((sum, { count }) => sum + count, 0) : 0;
  const left = Math.max(lines.length - lineLimit, counted - texts.length, 0);
  return {
    kind: notification.kind,
    severity: notification.severity as Alert["severity"],
    title: notification.title,
    message: notification.message,
    url: change?.job.url ?? null,
    link: linkOf(deps, notification),
    at: notification.created_at,
    jobId: change ? job_id : null,
    executionId: change ? execution_id : null,
    status: isChange
      ? { before: change.before?.status_code ?? null, after: change.execution.status_code }
      : null,
    similarity: isChange ? change.execution.similarity : null,
    condition: isChange ? change.met : null,
    lines: lines.slice(0, lineLimit),
    moreLines: left,
    findings: isChange ? change.findings.slice(0, findingLimit) : [],
    ignored: isChange ? change.ignored : 0,
    picture: null,
    note: null,
    question: isChange ? frequentChangeQuestion(deps, change) : null,
    values: change && {
      "event.id": notification.id,
      base: deps.baseUrl,
      matched: "",
      ...captured,
      ...changeValues(change, texts, isChange ? change.findings : []),
    },
  };
}

/** Values of the placeholders that describe a job, its check and what changed. */
function changeValues(
  { job, execution, before }: ChangeRecord,
  texts: ReturnType<typeof changedTexts>,
  findings: ChangeRecord["findings"],
): TemplateValues {
  const join = (lines: (string | null)[]) =>
    cut(lines.filter((line) => line !== null).join("\n"), placeholderLimits.text);
  return {
    "job.name": job.name,
    "job.group": job.group_name,
    zone: inherit(job, "schedule")?.zone,
    "execution.time": execution.created_at.toISOString(),
    "status.before": before?.status_code ?? null,
    "status.after": execution.status_code,
    added: join(texts.map(({ added }) => added)),
    removed: join(texts.map(({ removed }) => removed)),
    findings: findings.slice(0, placeholderLimits.findings).map(({ kind, severity, value, where }) => ({
      kind,
      severity,
      value: cut(value, placeholderLimits.finding),
      where,
    })),
    value: followedOf(execution),
    old: followedOf(before),
  };
}

const followedOf = (execution: ChangeRecord["before"]) =>
  Object.fromEntries(
    Object.entries(execution?.followed ?? {}).map(([name, { text, number }]) => [name, number ?? text]),
  );

/** The link to a notification: to its change, incident or identity, or to the list of notifications. */
export function linkOf(
  { baseUrl }: Pick<Deps, "baseUrl">,
  {
    kind,
    job_id,
    execution_id,
    incident_id,
  }: Pick<NotificationRow, "kind" | "job_id" | "execution_id" | "incident_id">,
): string {
  if (kind === "signed-out") return `${baseUrl}${identitiesPath}`;
  if (incident_id) return `${baseUrl}${incidentPath(incident_id)}`;
  return `${baseUrl}${job_id ? viewerPath(job_id, execution_id) : feedPath}`;
}

/** Says that a message comes by mail because another channel failed. */
export function noteOf({ instead_of }: DeliveryWithNotification): string | null {
  return instead_of && `You’re getting this by email because ${channels[instead_of].name} didn’t accept it.`;
}

/** One line with marked words if only some words changed, else the removed and the added line. */
function toWordLines(text: { removed: string | null; added: string | null; words: Word[] }): ChangedLine[] {
  return text.words.length > 0 ? [{ sign: "~", words: text.words }] : toLines(text);
}

function toLines({ removed, added }: { removed: string | null; added: string | null }) {
  return [
    ...(removed === null ? [] : [{ sign: "-" as const, text: removed }]),
    ...(added === null ? [] : [{ sign: "+" as const, text: added }]),
  ];
}

/** Draws the filtered pictures before and after. An unreadable picture gives null: it must not prevent the alert. */
export async function drawChange(
  deps: Pick<Deps, "db" | "blobs" | "detector">,
  accountId: string,
  { job, before, execution }: ChangeRecord,
  marks: Mark[] = [],
): Promise<Buffer | null> {
  try {
    const [previous, current] = await Promise.all(
      [before, execution].map((one) => readFilteredPicture(deps, accountId, job, one)),
    );
    return previous && current ? await drawBeforeAfter(previous, current, marks) : null;
  } catch {
    return null;
  }
}
