import { linkOf, noteOf, sentenceOf } from "#alerts/build-alert.ts";
import type { Deps } from "#alerts/deps.ts";
import { bySeverity } from "#contract/capture.ts";
import { feedPath } from "#contract/links.ts";
import type { Summarize } from "#contract/second-opinion.ts";
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
  // Digest-only changes become one line per job: the newest change, and how often the page changed.
  const isDigestOnly = ({ notification }: DeliveryWithNotification) => notification.kind === "folded";
  const jobOf = ({ notification }: DeliveryWithNotification) => notification.job_id ?? "";
  const digestOnly = Map.groupBy(held.filter(isDigestOnly), jobOf);
  const shown = held.filter((one) => !isDigestOnly(one) || digestOnly.get(jobOf(one))?.at(-1) === one);
  const timesChanged = (one: DeliveryWithNotification) =>
    isDigestOnly(one) ? (digestOnly.get(jobOf(one))?.length ?? 1) : 1;
  const changes = shown.flatMap(({ notification: { job_id: jobId, execution_id: executionId } }) =>
    jobId && executionId ? [{ jobId, executionId }] : [],
  );
  return {
    opinion: await summarize(accountId, changes),
    isDaily: held.every(isDigestOnly),
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
          opinion: sentenceOf(opinions.get(notification.execution_id ?? "")),
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
