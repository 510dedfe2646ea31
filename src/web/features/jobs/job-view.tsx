import * as Radix from "radix-ui/tabs";
import { Button } from "#web/ui/button.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { Executions } from "./execution-list/executions.tsx";
import { Numbers } from "./followed-values/numbers.tsx";
import { JobHead } from "./job-head.tsx";
import { LogTracer } from "./log-tracer.tsx";
import type { Job } from "./queries.ts";
import { SiteInventory } from "./site-inventory/site-inventory.tsx";
import { Timeline } from "./timeline/timeline.tsx";

const tabs = [
  { id: "executions", label: "Show Executions" },
  { id: "site", label: "Inventory" },
  { id: "logs", label: "Log Tracer" },
  { id: "numbers", label: "Numbers" },
];

const trigger =
  "-mb-px border-b-2 border-transparent py-2 text-muted transition-colors hover:text-ink data-[state=active]:border-accent-text data-[state=active]:font-medium data-[state=active]:text-ink";

// Where the page itself scrolls, the history still needs a limited height: only visible rows are rendered and loaded.
const panel = "flex min-h-80 flex-1 flex-col max-lg:max-h-[calc(100dvh-112px)]";

type JobViewProps = { job: Job; onBack: () => void };

/** The selected job: its state, its actions and its history. */
export function JobView({ job, onBack }: JobViewProps) {
  const [search, change] = useUrlParams();
  const newest = job.executions.find(({ error }) => !error);
  const shownTabs = tabs.filter(
    ({ id }) => (id !== "numbers" || job.values.length > 0) && (id !== "site" || job.site !== null),
  );
  const tab = shownTabs.find(({ id }) => id === search.get("tab"))?.id ?? "executions";
  return (
    <div className="@container flex min-h-0 flex-1 flex-col overflow-clip rounded-card border border-line bg-surface">
      <JobHead job={job} onBack={onBack} />
      {search.has("timeline") && <Timeline jobId={job.id} onClose={() => change({ timeline: null })} />}
      <Radix.Root
        value={tab}
        onValueChange={(value) => change({ tab: value === "executions" ? null : value }, true)}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="flex flex-wrap items-center gap-x-1 border-b border-line px-4">
          <Radix.List aria-label="History" className="me-auto flex gap-4">
            {shownTabs.map(({ id, label }) => (
              <Radix.Trigger key={id} value={id} className={trigger}>
                {label}
              </Radix.Trigger>
            ))}
          </Radix.List>
          <span className="-mx-2.5 flex flex-wrap">
            <Button look="ghost" size="sm" icon="download" onClick={() => change({ dialog: "export" })}>
              Export data
            </Button>
            <Button
              look="ghost"
              size="sm"
              icon="timeline"
              aria-expanded={search.has("timeline")}
              onClick={() => change({ timeline: search.has("timeline") ? null : "1" }, true)}
            >
              Timeline
            </Button>
            <Button
              look="ghost"
              size="sm"
              icon="share"
              disabled={!newest}
              onClick={() => change({ dialog: "share", job: job.id, share: newest?.id ?? null })}
            >
              Share Result
            </Button>
          </span>
        </div>
        <Radix.Content value="executions" tabIndex={-1} className={panel}>
          <Executions job={job} />
        </Radix.Content>
        {/* The inventory scrolls as a whole: its heads would leave no height for its rows. */}
        <Radix.Content
          value="site"
          tabIndex={-1}
          className="flex min-h-80 flex-1 flex-col lg:overflow-y-auto"
        >
          {job.site && <SiteInventory job={job} />}
        </Radix.Content>
        <Radix.Content value="logs" tabIndex={-1} className={panel}>
          <LogTracer jobId={job.id} />
        </Radix.Content>
        <Radix.Content value="numbers" tabIndex={-1} className={`${panel} overflow-y-auto`}>
          <Numbers job={job} />
        </Radix.Content>
      </Radix.Root>
    </div>
  );
}
