import { Time } from "#web/ui/time.tsx";
import type { Detail } from "./queries.ts";

type Delivery = Detail["deliveries"][number];

const names: Record<string, string> = {
  telegram: "Telegram",
  discord: "Discord",
  email: "E-mail",
  trigger: "the trigger",
};

/** By which channels this execution was told, and whether it got there. */
export function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  return (
    <ul className="grid gap-1.5 text-sm">
      {deliveries.map((one) => (
        <li key={one.id} className="grid">
          <span className="flex gap-2">
            <span className="flex-1">{names[one.channel]}</span>
            <span className={one.state === "failed" ? "text-removed" : "text-muted"}>
              {one.state === "sent" && one.sentAt ? <Time at={one.sentAt} /> : stateWords[one.state]}
            </span>
          </span>
          {one.insteadOf && (
            <span className="text-xs text-muted">because {names[one.insteadOf]} did not take it</span>
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
