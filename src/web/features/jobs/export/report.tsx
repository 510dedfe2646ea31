import { type Plan, planById } from "#plans/plans.ts";
import { call, stream } from "#web/api/call.ts";
import { useMe } from "#web/api/me.ts";
import { PlanNote } from "#web/ui/plan-note.tsx";
import { Select } from "#web/ui/select.tsx";
import type { Job } from "../queries.ts";

export type ReportChoice = { about: "job" | "group"; days: number };

const includesReports = (plan: Plan) => plan.reports;

/** Whether the account's plan includes reports; assumed true until it is known, since the server decides. */
export function useHasReports(): boolean {
  const me = useMe().data;
  return !me || includesReports(planById(me.planId));
}

/** Selects a report's scope and period, or names the plan that includes reports. */
export function ReportFields({
  choice,
  onChange,
}: {
  choice: ReportChoice;
  onChange: (choice: ReportChoice) => void;
}) {
  if (!useHasReports())
    return (
      <div className="mt-3">
        <PlanNote what="Report generation" includes={includesReports} />
      </div>
    );
  return (
    <div className="mt-3 grid gap-3 sm:grid-cols-2">
      <Select
        label="About"
        value={choice.about}
        onChange={(about) => onChange({ ...choice, about: about === "group" ? "group" : "job" })}
        options={[
          { value: "job", label: "This job" },
          { value: "group", label: "All jobs of its group" },
        ]}
      />
      <Select
        label="Period"
        value={String(choice.days)}
        onChange={(days) => onChange({ ...choice, days: Number(days) })}
        options={[7, 30, 90].map((days) => ({ value: String(days), label: `The last ${days} days` }))}
      />
    </div>
  );
}

/** Requests a report, waits until it is ready and returns the PDF. */
export async function makeReport(
  job: Job,
  { about, days }: ReportChoice,
  signal: AbortSignal,
): Promise<Blob> {
  const scope = about === "job" ? { jobId: job.id } : { groupId: job.groupId };
  const from = new Date(Date.now() - days * 86_400_000).toISOString();
  const { id } = await call("POST /api/reports", { body: { ...scope, from } }, { signal });
  for (;;) {
    const { reports } = await call("GET /api/reports", undefined, { signal });
    const state = reports.find((report) => report.id === id)?.state;
    if (state === "ready")
      return (
        await stream("GET /api/reports/:reportId/pdf", { params: { reportId: id } }, { signal })
      ).blob();
    if (state !== "queued") throw new Error("The report could not be created. Try it again.");
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}
