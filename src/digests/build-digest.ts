import { linkOf, noteOf, sentenceOf } from "#alerts/build-alert.ts";
import type { Deps } from "#alerts/deps.ts";
import { bySeverity } from "#contract/capture.ts";
import { feedPath } from "#contract/links.ts";
import type { Opinion, Summarize } from "#contract/second-opinion.ts";
import type { Alert, Digest } from "#message-templates/alert.ts";
import type { DeliveryWithNotification } from "#storage/deliveries.ts";
import { listMetConditions } from "#storage/executions.ts";
import { listOpinions } from "#storage/opinions.ts";

/** Builds one message of everything that was held back for a channel. */
export async function buildDigest(
  deps: Pick<Deps, "baseUrl" | "db">,
  accountId: string,
  held: DeliveryWithNotification[],
  summarize: Summarize,
): Promise<Digest> {
  const executionIds = held.flatMap(({ execution_id }) => execution_id ?? []);
  const [opinions, conditions] = await Promise.all([
    listOpinions(deps.db, accountId, executionIds),
    listMetConditions(deps.db, executionIds),
  ]);
  const opinionOf = ({ notification }: DeliveryWithNotification) =>
    opinions.get(notification.execution_id ?? "");
  const isLowered = (one: DeliveryWithNotification) => opinionOf(one)?.lowered === true;
  // Digest-only changes become one line per job: the newest change, and how often the page changed. What a model moved
  // here has a line of its own, before them, so that no later change of the page takes its place.
  const isDigestOnly = ({ notification }: DeliveryWithNotification) => notification.kind === "folded";
  const jobOf = ({ notification }: DeliveryWithNotification) => notification.job_id ?? "";
  const isMerged = (one: DeliveryWithNotification) => isDigestOnly(one) && !isLowered(one);
  const merged = Map.groupBy(held.filter(isMerged), jobOf);
  const shown = [
    ...held.filter((one) => !isMerged(one)),
    ...held.filter((one) => isMerged(one) && merged.get(jobOf(one))?.at(-1) === one),
  ];
  const timesChanged = (one: DeliveryWithNotification) =>
    isMerged(one) ? (merged.get(jobOf(one))?.length ?? 1) : 1;
  const changes = shown.flatMap(({ notification: { job_id: jobId, execution_id: executionId } }) =>
    jobId && executionId ? [{ jobId, executionId }] : [],
  );
  return {
    opinion: await summarize(accountId, changes),
    isDaily: held.every(isDigestOnly),
    pages: new Set(shown.map(jobOf)).size,
    followsSchedule: held.some(({ held_until }) => held_until !== null),
    entries: shown
      .map((one) => {
        const { notification } = one;
        const count = timesChanged(one);
        return {
          title: notification.title,
          message: count > 1 ? `${count} times, last: ${notification.message}` : notification.message,
          severity: notification.severity as Alert["severity"],
          link: linkOf(deps, notification),
          at: notification.created_at,
          opinion: withJudgement(opinionOf(one)),
          condition:
            notification.kind === "change" ? (conditions.get(notification.execution_id ?? "") ?? null) : null,
        };
      })
      .sort(bySeverity),
    link: `${deps.baseUrl}${feedPath}`,
    base: deps.baseUrl,
    note: held[0] ? noteOf(held[0]) : null,
  };
}

/** What a model says about a change, and as what it lowered the alert. */
function withJudgement(opinion: Opinion | undefined): Alert["opinion"] {
  const words = sentenceOf(opinion);
  return words && opinion?.lowered ? { ...words, loweredAs: opinion.class } : words;
}
