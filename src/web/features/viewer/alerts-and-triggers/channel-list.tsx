import type { ReactNode } from "react";
import { channels } from "#channels/channel-list.ts";
import { Time } from "#web/ui/time/time.tsx";
import type { Detail, Job } from "../queries.ts";

type Delivery = Detail["deliveries"][number];

const stateWords: Record<Delivery["state"], string> = {
  waiting: "sending",
  held: "waiting for the digest",
  sent: "sent",
  failed: "failed",
  joined: "together with other pages",
};

const skipReasons: Record<Detail["passedOver"][number]["why"], string> = {
  plan: "not in your plan",
  closed: "not set up on this server",
  off: "switched off",
  missing: "not set up",
  gone: "it no longer accepts messages",
  failing: "it failed before",
  unconfirmed: "your address isn’t confirmed",
  job: "not chosen for this job",
};

/** The channels that sent an alert for an execution, and those that did not, with the reason. */
export function ChannelList({ detail, job }: { detail: Detail; job: Job | undefined }) {
  const { deliveries, passedOver, triggerRuns } = detail;
  const explanation = explainDelivery(detail);
  const [run] = triggerRuns;
  return (
    <>
      {explanation && <p className="text-sm text-muted">{explanation}</p>}
      <ul className="grid gap-1.5 text-sm">
        {deliveries.map((one) => (
          <Row
            key={one.id}
            name={channels[one.channel].name}
            isBad={one.state === "failed"}
            word={deliveryStatus(one)}
          >
            {one.insteadOf && (
              <span className="text-xs text-muted">because {channels[one.insteadOf].name} rejected it</span>
            )}
            {one.error && one.state !== "sent" && <span className="text-xs text-removed">{one.error}</span>}
          </Row>
        ))}
        {[...Map.groupBy(passedOver, ({ why }) => why)].map(([why, some]) => (
          <Row
            key={why}
            name={some.map(({ channel }) => channels[channel].name).join(", ")}
            word={`no alert: ${skipReasons[why]}`}
          />
        ))}
        {detail.changed && job?.trigger && (
          <Row
            name="HTTP trigger"
            isBad={run?.state === "failed"}
            word={run ? (run.state === "failed" ? "failed" : "fired") : "not fired: see the log"}
          />
        )}
      </ul>
    </>
  );
}

function explainDelivery({
  changed,
  folded,
  untold,
  error,
  verdict,
  opinion,
  ...lists
}: Detail): string | null {
  if (error) return "A single failed check isn’t alerted right away.";
  if (!verdict) return "No alert: this is the first capture.";
  if (!changed) return "No alert: nothing changed.";
  if (folded)
    return verdict.waits
      ? "In your notifications. Alerts go out if the next check still sees it."
      : "In your notifications and the daily digest.";
  if (opinion?.lowered) return "In your notifications and the daily digest, by a second opinion.";
  if (untold) return `No alert: ${untold}.`;
  return lists.deliveries.length + lists.passedOver.length === 0 ? "In your notifications." : null;
}

function deliveryStatus({ state, sentAt }: Delivery): ReactNode {
  if (state === "joined" && sentAt)
    return (
      <>
        with other pages, <Time at={sentAt} />
      </>
    );
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
