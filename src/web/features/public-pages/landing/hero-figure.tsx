import { cx } from "#web/ui/cx.ts";
import { shownAlerts } from "./shown-alerts.ts";

type Line = { no: number; text: React.ReactNode; sign?: "+" | "−" };

const before: Line[] = [
  { no: 117, text: "<main>" },
  {
    no: 118,
    text: <Marked tone="removed" start={'  <form action="'} mark="/session" end={'">'} />,
    sign: "−",
  },
  { no: 119, text: '    <input name="email">' },
  { no: 120, text: '    <input name="password">' },
  { no: 121, text: "  </form>" },
  { no: 122, text: "</main>" },
  { no: 123, text: '<script src="/app.js">' },
];

const after: Line[] = [
  { no: 117, text: "<main>" },
  {
    no: 118,
    text: <Marked tone="added" start={'  <form action="'} mark="https://collect.example/p" end={'">'} />,
    sign: "+",
  },
  { no: 119, text: '    <input name="email">' },
  { no: 120, text: '    <input name="password">' },
  { no: 121, text: "  </form>" },
  { no: 122, text: "</main>" },
  { no: 123, text: '<script src="/app.js">' },
];

// One day of hourly checks: quiet, two small edits, then the one that matters.
const ticks = Array.from({ length: 60 }, (_, i) =>
  i === 59 ? "critical" : i === 22 || i === 41 ? "notice" : "same",
);

/** The product at work: one page, before and after, with the changed line highlighted. */
export function HeroFigure() {
  return (
    <figure className="mt-12 overflow-hidden rounded-card border border-line-strong bg-surface text-sm shadow-float">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5">
        <span className="font-medium">Shop login</span>
        <span className="font-mono text-xs text-muted">shop.example/login</span>
        <span className="figures ms-auto font-mono text-xs text-muted">#41 → #42</span>
        <Severity />
      </figcaption>
      <div className="grid md:grid-cols-2">
        <Pane title="Previous" time="13:02" lines={before} />
        <Pane title="This" time="14:02" lines={after} className="border-line max-md:border-t md:border-s" />
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-line bg-sunken px-4 py-3">
        <p className="font-medium">
          <span className="text-removed">{shownAlerts.form.summary}</span>
        </p>
        <div className="ms-auto flex h-5 items-end gap-[3px]" aria-hidden="true">
          {ticks.map((tick, i) => (
            <span
              key={i}
              className={cx(
                "w-[3px] rounded-full",
                tick === "critical"
                  ? "h-5 bg-danger"
                  : tick === "notice"
                    ? "h-3.5 bg-changed-mark"
                    : "h-2 bg-line-strong",
                i < 24 && "max-sm:hidden",
              )}
            />
          ))}
        </div>
      </div>
    </figure>
  );
}

function Severity() {
  return (
    <span className="rounded-sm border-s-2 border-danger bg-removed-bg px-2 py-0.5 text-xs font-medium text-removed">
      Critical
    </span>
  );
}

function Pane({
  title,
  time,
  lines,
  className,
}: {
  title: string;
  time: string;
  lines: Line[];
  className?: string;
}) {
  return (
    <div className={cx("min-w-0", className)}>
      <p className="figures flex justify-between px-4 pt-3 pb-2 text-xs text-muted">
        <span>{title}</span>
        <span className="font-mono">{time}</span>
      </p>
      <div className="pb-3 font-mono text-xs leading-6">
        {lines.map((line) => (
          <div
            key={line.no}
            className={cx(
              "flex",
              line.sign === "+" && "bg-added-bg",
              line.sign === "−" && "bg-removed-bg",
              !line.sign && "text-muted",
            )}
          >
            <span className="figures w-11 shrink-0 pe-3 text-end text-quiet select-none">{line.no}</span>
            <span
              className={cx("w-4 shrink-0 select-none", line.sign === "+" ? "text-added" : "text-removed")}
            >
              {line.sign}
            </span>
            <span className="overflow-hidden pe-3 text-ellipsis whitespace-pre">{line.text}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function Marked({
  tone,
  start,
  mark,
  end,
}: {
  tone: "added" | "removed";
  start: string;
  mark: string;
  end: string;
}) {
  return (
    <>
      {start}
      <mark
        className={cx(
          "rounded-sm px-0.5 text-ink",
          tone === "added" ? "bg-added-mark" : "bg-removed-mark line-through decoration-1",
        )}
      >
        {mark}
      </mark>
      {end}
    </>
  );
}
