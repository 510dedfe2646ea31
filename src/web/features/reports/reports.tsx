import { useState } from "react";
import { Link } from "react-router";
import { formatPrice, plans } from "#contract/plans.ts";
import { call } from "#web/api/call.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time.tsx";
import { NewReport } from "./new-report.tsx";
import { type Schedule, useHasReports, useReportAction, useReports, useSchedules } from "./queries.ts";
import { ReportRow } from "./report-row.tsx";

/** Documents about what was seen: made, handed on, and made by themselves. */
export function Reports() {
  const [making, setMaking] = useState(false);
  const hasReports = useHasReports();
  return (
    <div className="mx-auto grid max-w-190 grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl">Reports</h1>
        <Button look="primary" icon="plus" disabled={!hasReports} onClick={() => setMaking(true)}>
          New report
        </Button>
      </div>
      {!hasReports && <PlanHint />}
      <Made onNew={hasReports ? () => setMaking(true) : undefined} />
      <Scheduled />
      {making && <NewReport onClose={() => setMaking(false)} />}
    </div>
  );
}

function PlanHint() {
  const plan = plans.find(({ reports }) => reports);
  if (!plan) return null;
  return (
    <p className="text-sm text-muted">
      Reports come with{" "}
      <Link
        to="/dashboard?view=billing"
        className="font-medium text-accent-text underline underline-offset-2"
      >
        {plan.name}, {formatPrice(plan.priceCents)} a month
      </Link>
      .
    </p>
  );
}

function Made({ onNew }: { onNew: (() => void) | undefined }) {
  const { data, isPending, error, refetch } = useReports();
  return (
    <Card title="Made" note="The newest 20 are kept.">
      {isPending && <Skeleton className="m-4 h-32" />}
      {error && (
        <Failed title="The reports could not be loaded" action="Try again" onAction={() => void refetch()}>
          {error.message || "The connection to the server failed."}
        </Failed>
      )}
      {data?.reports.length === 0 && (
        <Empty
          icon="report"
          title="No report yet"
          {...(onNew ? { action: "New report", onAction: onNew } : {})}
        >
          A report tells what changed over a time, with before and after, as PDF and as one HTML file.
        </Empty>
      )}
      {data && data.reports.length > 0 && (
        <ul className="divide-y divide-line">
          {data.reports.map((report) => (
            <ReportRow key={report.id} report={report} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Scheduled() {
  const { data, isPending, error, refetch } = useSchedules();
  return (
    <Card title="By schedule" note="Each is made by itself about the week or month before, and mailed.">
      {isPending && <Skeleton className="m-4 h-12" />}
      {error && (
        <Failed title="The schedules could not be loaded" action="Try again" onAction={() => void refetch()}>
          {error.message || "The connection to the server failed."}
        </Failed>
      )}
      {data?.schedules.length === 0 && (
        <p className="p-4 text-sm text-muted">None. A new report can be repeated every week or month.</p>
      )}
      {data && data.schedules.length > 0 && (
        <ul className="divide-y divide-line">
          {data.schedules.map((schedule) => (
            <ScheduleRow key={schedule.id} schedule={schedule} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ScheduleRow({ schedule: { id, title, every, nextAt } }: { schedule: Schedule }) {
  const remove = useReportAction(() =>
    call("DELETE /api/report-schedules/:scheduleId", { params: { scheduleId: id } }),
  );
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="truncate font-medium" title={title}>
          {title}
        </p>
        <p className="text-sm text-muted">
          {every === "week" ? "Every Monday" : "Every first of a month"}, next <Time at={nextAt} />
        </p>
      </div>
      <IconButton
        icon="trash"
        label={`Delete the schedule ${title}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  );
}
