import { useState } from "react";
import { Failed } from "#web/ui/states.tsx";
import { FirstJob } from "./first-job.tsx";
import { FailingJobs, NextExecutions } from "./job-panels.tsx";
import { RecentChanges } from "./recent-changes.tsx";
import { useResume } from "./resume.ts";
import { StatCards } from "./stat-cards.tsx";
import { Statistics } from "./statistics.tsx";

const panel = "rounded-card border border-line bg-surface";

/** What changed, at a glance. */
export function Dashboard() {
  const { data: resume, error, refetch } = useResume();
  // Stays until the dashboard is left, so that the first picture is seen.
  const [isStarting, setStarting] = useState(false);
  const isEmpty = resume?.total_jobs === 0;
  return (
    <div className="grid grid-cols-1 gap-4">
      <h1 className="text-xl">Dashboard</h1>
      {error && !resume ? (
        <div className={panel}>
          <Failed title="The overview could not be loaded" action="Try again" onAction={() => void refetch()}>
            {error.message || "The server could not be reached."} Your jobs go on running meanwhile.
          </Failed>
        </div>
      ) : (
        <StatCards resume={resume} />
      )}
      {(isEmpty || isStarting) && <FirstJob onStarted={() => setStarting(true)} />}
      {!isEmpty && (resume || !error) && (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
          <RecentChanges resume={resume} />
          <div className="grid grid-cols-1 gap-4">
            <FailingJobs resume={resume} />
            <NextExecutions resume={resume} />
          </div>
        </div>
      )}
      <Statistics />
    </div>
  );
}
