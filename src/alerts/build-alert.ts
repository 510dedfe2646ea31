import { byGravity } from "#contract/capture.ts";
import { channels } from "#contract/channels.ts";
import { feedPath, viewerPath } from "#contract/links.ts";
import type { Alert, ChangedLine, Digest, Word } from "#delivery/alert.ts";
import { drawBeforeAfter, type Mark } from "#delivery/draw-before-after.ts";
import { type ChangeRecord, changedTexts, readChange } from "#history/read-change.ts";
import { readSeen } from "#history/read-seen.ts";
import type { DeliveryWithNotification } from "#storage/deliveries.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import type { Deps } from "./deps.ts";
import { oftenQuestion } from "./often-question.ts";

const lineLimit = 20;
const findingLimit = 10;

/** What a channel is given to tell of a notification. */
export async function buildAlert(deps: Deps, delivery: DeliveryWithNotification): Promise<Alert> {
  const { alert, change } = await describeAlert(deps, delivery.notification);
  return {
    ...alert,
    picture: change ? await drawChange(deps, delivery.account_id, change) : null,
    note: noteOf(delivery),
  };
}

/** An alert without its picture, and the change that it tells of. */
export async function describeAlert(
  deps: Deps,
  notification: NotificationRow,
): Promise<{ alert: Alert; change: ChangeRecord | undefined }> {
  const { job_id, execution_id, account_id } = notification;
  const change =
    job_id && execution_id ? await readChange(deps, account_id, job_id, execution_id) : undefined;
  const isChange = notification.kind === "change" && change !== undefined;
  const texts = isChange ? changedTexts(change.reasons) : [];
  const lines = texts.flatMap(toWordLines);
  const counted = isChange ? change.reasons.reduce((sum, { count }) => sum + count, 0) : 0;
  const left = Math.max(lines.length - lineLimit, counted - texts.length, 0);
  const alert: Alert = {
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
    lines: lines.slice(0, lineLimit),
    moreLines: left,
    findings: isChange ? change.findings.slice(0, findingLimit) : [],
    ignored: isChange ? change.ignored : 0,
    picture: null,
    note: null,
    question: isChange ? oftenQuestion(deps, change) : null,
  };
  return { alert, change: isChange ? change : undefined };
}

export function buildDigest(deps: Deps, held: DeliveryWithNotification[]): Digest {
  // What was folded is one line a job: the newest, and how often it changed.
  const isFolded = ({ notification }: DeliveryWithNotification) => notification.kind === "folded";
  const jobOf = ({ notification }: DeliveryWithNotification) => notification.job_id ?? "";
  const folded = Map.groupBy(held.filter(isFolded), jobOf);
  const shown = held.filter((one) => !isFolded(one) || folded.get(jobOf(one))?.at(-1) === one);
  const times = (one: DeliveryWithNotification) =>
    isFolded(one) ? (folded.get(jobOf(one))?.length ?? 1) : 1;
  return {
    isDaily: held.every(isFolded),
    isPaced: held.some(({ held_until }) => held_until !== null),
    entries: shown
      .map((one) => {
        const { notification } = one;
        const count = times(one);
        return {
          title: notification.title,
          message: count > 1 ? `${count} times, last: ${notification.message}` : notification.message,
          severity: notification.severity as Alert["severity"],
          link: linkOf(deps, notification),
          at: notification.created_at,
        };
      })
      .sort(byGravity),
    link: `${deps.baseUrl}${feedPath}`,
    note: held[0] ? noteOf(held[0]) : null,
  };
}

function linkOf({ baseUrl }: Deps, { job_id, execution_id }: NotificationRow): string {
  return `${baseUrl}${job_id ? viewerPath(job_id, execution_id) : feedPath}`;
}

function noteOf({ instead_of }: DeliveryWithNotification): string | null {
  return instead_of && `This comes by e-mail because ${channels[instead_of].name} did not take it.`;
}

/** One line where only some of its words are others, else what went and what came. */
function toWordLines(text: { removed: string | null; added: string | null; words: Word[] }): ChangedLine[] {
  return text.words.length > 0 ? [{ sign: "~", words: text.words }] : toLines(text);
}

export function toLines({ removed, added }: { removed: string | null; added: string | null }) {
  return [
    ...(removed === null ? [] : [{ sign: "-" as const, text: removed }]),
    ...(added === null ? [] : [{ sign: "+" as const, text: added }]),
  ];
}

/** What counts of both pictures. One that cannot be read any more must not cost the alert. */
export async function drawChange(
  deps: Pick<Deps, "db" | "blobs" | "detector">,
  accountId: string,
  { job, before, execution }: ChangeRecord,
  marks: Mark[] = [],
): Promise<Buffer | null> {
  try {
    const [old, now] = await Promise.all(
      [before, execution].map((one) => readSeen(deps, accountId, job, one)),
    );
    return old && now ? await drawBeforeAfter(old, now, marks) : null;
  } catch {
    return null;
  }
}
