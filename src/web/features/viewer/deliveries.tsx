import { channels } from "#contract/channels.ts";
import { Time } from "#web/ui/time.tsx";
import type { Detail } from "./queries.ts";

type Delivery = Detail["deliveries"][number];

/** By which channels this execution was told, and whether it got there. */
export function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  return (
    <ul className="grid gap-1.5 text-sm">
      {deliveries.map((one) => (
        <li key={one.id} className="grid">
          <span className="flex gap-2">
            <span className="flex-1">{channels[one.channel].name}</span>
            <span className={one.state === "failed" ? "text-removed" : "text-muted"}>
              {one.state === "sent" && one.sentAt ? <Time at={one.sentAt} /> : stateWords[one.state]}
            </span>
          </span>
          {one.insteadOf && (
            <span className="text-xs text-muted">because {channels[one.insteadOf].name} did not take it</span>
          )}
          {one.error && one.state !== "sent" && <span className="text-xs text-removed">{one.error}</span>}
        </li>
      ))}
    </ul>
  );
}

const stateWords: Record<Delivery["state"], string> = {
  waiting: "on its way",
  held: "comes with the digest",
  sent: "sent",
  failed: "failed",
};
