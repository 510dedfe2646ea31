import { useState } from "react";
import { Link } from "react-router";
import { formatPrice, plans } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { NewReport } from "./new-report.tsx";
import { type Schedule, useHasReports, useReportAction, useReports, useSchedules } from "./queries.ts";
import { ReportRow } from "./report-row.tsx";

/** Reports about what changed: the finished ones, and the schedules that create them. */
export function Reports() {
  const [isCreating, setCreating] = useState(false);
  const hasReports = useHasReports();
  return (
    <div className="mx-auto grid max-w-190 grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl">Reports</h1>
        <Button look="primary" icon="plus" disabled={!hasReports} onClick={() => setCreating(true)}>
          New report
        </Button>
      </div>
      {!hasReports && <PlanHint />}
      <ReportList onNew={hasReports ? () => setCreating(true) : undefined} />
      <ScheduleList />
      {isCreating && <NewReport onClose={() => setCreating(false)} />}
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

function ReportList({ onNew }: { onNew: (() => void) | undefined }) {
  const { data, isPending, error, refetch } = useReports();
  return (
    <Card title="Your reports" note="The newest 20 reports are stored.">
      {isPending && <Skeleton className="m-4 h-32" />}
      {error && (
        <Failed title="We couldn’t load the reports" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {data?.reports.length === 0 && (
        <Empty
          icon="report"
          title="No report yet"
          {...(onNew ? { action: "New report", onAction: onNew } : {})}
        >
          A report shows what changed in a period, with before and after, as a PDF and as one HTML file.
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

function ScheduleList() {
  const { data, isPending, error, refetch } = useSchedules();
  return (
    <Card
      title="By schedule"
      note="Each covers the previous week or month and is emailed to you automatically."
    >
      {isPending && <Skeleton className="m-4 h-12" />}
      {error && (
        <Failed title="We couldn’t load the schedules" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {data?.schedules.length === 0 && (
        <p className="p-4 text-sm text-muted">
          No schedules. You can repeat a new report every week or month.
        </p>
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
          {every === "week" ? "Every Monday" : "On the first of each month"}, next <Time at={nextAt} />
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
