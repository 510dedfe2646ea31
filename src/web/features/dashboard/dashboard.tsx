import { useState } from "react";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { FirstJob } from "./first-job/first-job.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { NextExecutions } from "./next-executions.tsx";
import { RecentChanges } from "./recent-changes.tsx";
import { useResume } from "./resume.ts";
import { StatCards } from "./stat-cards.tsx";
import { Statistics } from "./statistics-chart/statistics.tsx";

const panel = "rounded-card border border-line bg-surface";

/** What needs the user, what changed, and the figures. */
export function Dashboard() {
  const { data: resume, error, refetch } = useResume();
  // Stays set until the user leaves the dashboard, so that the first screenshot is seen.
  const [isStarting, setStarting] = useState(false);
  const isEmpty = resume?.total_jobs === 0;
  return (
    <div className="grid grid-cols-1 gap-4">
      <h1 className="text-xl">Dashboard</h1>
      {error && !resume && (
        <div className={panel}>
          <Failed title="We couldn’t load the overview" action="Try again" onAction={() => void refetch()}>
            {error.message || "We couldn’t reach the server."} Your jobs keep running meanwhile.
          </Failed>
        </div>
      )}
      {!resume && !error && <DashboardSkeleton />}
      {(isEmpty || isStarting) && <FirstJob onStarted={() => setStarting(true)} />}
      {resume && !isEmpty && <NeedsAttention resume={resume} />}
      {resume && <StatCards resume={resume} />}
      {resume && !isEmpty && (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
          <RecentChanges resume={resume} />
          <NextExecutions resume={resume} />
        </div>
      )}
      {/* Waits for the figures above it, which would push it down. */}
      {(resume || error) && <Statistics />}
    </div>
  );
}

function DashboardSkeleton() {
  return (
    <div className="grid gap-4">
      <Skeleton className="h-28" />
      <Skeleton className="h-21" />
      <Skeleton className="h-96" />
    </div>
  );
}
