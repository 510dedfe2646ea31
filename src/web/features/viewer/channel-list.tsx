import type { ReactNode } from "react";
import { channels } from "#contract/channels.ts";
import { Time } from "#web/ui/time.tsx";
import type { Detail, Job } from "./queries.ts";

type Delivery = Detail["deliveries"][number];

const stateWords: Record<Delivery["state"], string> = {
  waiting: "on its way",
  held: "comes with the digest",
  sent: "sent",
  failed: "failed",
};

const passedWords: Record<Detail["passedOver"][number]["why"], string> = {
  plan: "not in your plan",
  closed: "not set up on this server",
  off: "switched off",
  missing: "not set up",
  gone: "it took no messages any more",
  failing: "it had failed before",
  unconfirmed: "your address is not confirmed",
  job: "not chosen for this job",
};

/** Which channels told of an execution, and which did not and why. */
export function ChannelList({ detail, job }: { detail: Detail; job: Job | undefined }) {
  const { deliveries, passedOver, triggerRuns } = detail;
  const silence = silenceOf(detail);
  const [run] = triggerRuns;
  return (
    <>
      {silence && <p className="text-sm text-muted">{silence}</p>}
      <ul className="grid gap-1.5 text-sm">
        {deliveries.map((one) => (
          <Row key={one.id} name={channels[one.channel].name} isBad={one.state === "failed"} word={told(one)}>
            {one.insteadOf && (
              <span className="text-xs text-muted">
                because {channels[one.insteadOf].name} did not take it
              </span>
            )}
            {one.error && one.state !== "sent" && <span className="text-xs text-removed">{one.error}</span>}
          </Row>
        ))}
        {[...Map.groupBy(passedOver, ({ why }) => why)].map(([why, some]) => (
          <Row
            key={why}
            name={some.map(({ channel }) => channels[channel].name).join(", ")}
            word={`not told: ${passedWords[why]}`}
          />
        ))}
        {detail.changed && job?.trigger && (
          <Row
            name="HTTP trigger"
            isBad={run?.state === "failed"}
            word={run ? (run.state === "failed" ? "failed" : "fired") : "not fired; the log says why"}
          />
        )}
      </ul>
    </>
  );
}

function silenceOf({ changed, folded, untold, error, verdict, ...told }: Detail): string | null {
  if (error) return "A check that fails is not told of at once.";
  if (!verdict) return "Nobody: there was nothing to compare with.";
  if (!changed) return "Nobody: nothing changed.";
  if (folded)
    return verdict.waits
      ? "In the notifications; by the channels if the next check sees it again."
      : "In the notifications, and once a day.";
  if (untold) return `Nobody: ${untold}.`;
  return told.deliveries.length + told.passedOver.length === 0 ? "In the notifications." : null;
}

function told({ state, sentAt }: Delivery): ReactNode {
  return state === "sent" && sentAt ? <Time at={sentAt} /> : stateWords[state];
}

type RowProps = { name: string; word: ReactNode; isBad?: boolean; children?: ReactNode };

function Row({ name, word, isBad = false, children }: RowProps) {
  return (
    <li className="grid">
      <span className="flex gap-2">
        <span className="min-w-0 flex-1">{name}</span>
        <span className={isBad ? "text-removed" : "text-muted"}>{word}</span>
      </span>
      {children}
    </li>
  );
}
