import { useNavigate } from "react-router";
import { Empty, Failed } from "#web/ui/states.tsx";
import { FailingJobs, NextExecutions } from "./job-panels.tsx";
import { RecentChanges } from "./recent-changes.tsx";
import { useResume } from "./resume.ts";
import { StatCards } from "./stat-cards.tsx";
import { Statistics } from "./statistics.tsx";

const panel = "rounded-card border border-line bg-surface";

/** What changed, at a glance. */
export function Dashboard() {
  const { data: resume, error, refetch } = useResume();
  const navigate = useNavigate();
  const first =
    resume?.total_groups === 0
      ? { label: "New Group", dialog: "new-group" }
      : { label: "New Job", dialog: "new-job" };
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
      {resume?.total_jobs === 0 ? (
        <Empty
          icon="eye"
          title="You watch nothing yet"
          className={panel}
          action={first.label}
          onAction={() => void navigate(`/dashboard?view=jobs&dialog=${first.dialog}`)}
        >
          A job watches one page. Its changes, its next check and its numbers appear here.
        </Empty>
      ) : (
        <>
          {(resume || !error) && (
            <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
              <RecentChanges resume={resume} />
              <div className="grid grid-cols-1 gap-4">
                <FailingJobs resume={resume} />
                <NextExecutions resume={resume} />
              </div>
            </div>
          )}
          <Statistics />
        </>
      )}
    </div>
  );
}
