import { cx } from "#web/ui/cx.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { shownAlerts } from "./shown-alerts.ts";

const frame = "overflow-hidden rounded-card border border-line bg-surface text-sm";

type Check = { no: number; note: string; time: string; changed?: boolean };

const { form, nothing, opened, redirect, scope } = shownAlerts;

const checks: Check[] = [
  { no: 42, note: form.summary, time: "14:02", changed: true },
  { no: 41, note: nothing.summary, time: "13:02" },
  { no: 40, note: nothing.summary, time: "12:02" },
  { no: 39, note: redirect.summary, time: "11:02", changed: true },
  { no: 38, note: nothing.summary, time: "10:02" },
];

/** A history of checks, newest first. */
export function CaptureFigure() {
  return (
    <ol className={cx(frame, "divide-y divide-line")} aria-label="A job’s newest checks">
      {checks.map((check) => (
        <li key={check.no} className="figures flex items-center gap-3 px-4 py-2.5 sm:gap-4">
          <Thumbnail changed={check.changed} />
          <span className="w-8 font-mono text-xs text-muted">#{check.no}</span>
          <span className="font-mono text-xs font-medium text-added max-sm:hidden">200</span>
          <span className={cx("min-w-0 flex-1 wrap-anywhere", check.changed ? "font-medium" : "text-muted")}>
            {check.note}
          </span>
          <span className="font-mono text-xs text-muted">{check.time}</span>
        </li>
      ))}
    </ol>
  );
}

function Thumbnail({ changed }: { changed?: boolean }) {
  return (
    <svg viewBox="0 0 36 26" className="h-6.5 w-9 shrink-0" aria-hidden="true">
      <rect x="0.5" y="0.5" width="35" height="25" rx="2" className="fill-sunken stroke-line-strong" />
      <path d="M4 5h12M4 10h28M4 13.5h28M4 17h20" className="stroke-line-strong" strokeWidth="2" />
      {changed && (
        <rect
          x="3"
          y="15"
          width="22"
          height="7"
          rx="1"
          className="fill-changed-mark/40 stroke-changed-mark"
        />
      )}
    </svg>
  );
}

/** A trigger's request and its response. */
export function ReactFigure() {
  return (
    <div className={cx(frame, "grid")}>
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2.5 font-mono text-xs">
        <span className="rounded-sm bg-accent-bg px-1.5 py-0.5 font-medium text-accent-text">POST</span>
        <span className="min-w-0 truncate">hooks.example/on-change</span>
        <span className="figures ms-auto font-medium text-added">200</span>
        <span className="figures text-muted">184 ms</span>
      </div>
      <pre className="overflow-hidden px-4 py-3 font-mono text-xs leading-5 text-muted">
        {'{\n  "job": "Staging API",\n  "summary": '}
        <span className="text-ink">"{opened.summary}"</span>
        {`,\n  "severity": "${opened.severity}"\n}`}
      </pre>
      <p className="border-t border-line px-4 py-2.5 text-muted">
        Execute if one of the strings was found:{" "}
        <span className="font-mono text-xs text-ink">/internal/export</span>
      </p>
    </div>
  );
}

const channels: { icon: IconName; name: string; to: string }[] = [
  { icon: "send", name: "Telegram", to: "your chat" },
  { icon: "mail", name: "Email", to: "you@team.example" },
  { icon: "link", name: "Discord", to: "#alerts" },
];

/** One alert, delivered through three channels. */
export function NotifyFigure() {
  return (
    <div className="grid gap-3">
      <div className={cx(frame, "border-s-2 border-s-changed-mark px-4 py-3")}>
        <p className="font-medium">Program scope: {scope.summary}</p>
        <p className="mt-1 truncate font-mono text-xs">
          <span className="rounded-sm bg-added-bg px-1 text-added">+ *.api.vendor.example</span>
        </p>
        <p className="mt-2 text-xs text-muted">Important · checked at 14:02 · open the comparison</p>
      </div>
      <ul className="grid gap-3 sm:grid-cols-3">
        {channels.map((channel) => (
          <li key={channel.name} className={cx(frame, "flex items-center gap-3 px-4 py-3")}>
            <Icon name={channel.icon} className="text-accent-text" />
            <span className="grid min-w-0">
              <span className="font-medium">{channel.name}</span>
              <span className="truncate text-xs text-muted">{channel.to}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
