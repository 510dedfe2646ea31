import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Card } from "#web/ui/card.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { Time } from "#web/ui/time.tsx";

const key = ["evidence"];
type Days = Awaited<ReturnType<typeof read>>["days"];

const read = (signal?: AbortSignal) => call("GET /api/evidence", undefined, { signal });

/** What vouches for the captures: the head of each day. */
export function Evidence() {
  const client = useQueryClient();
  const evidence = useQuery({ queryKey: key, queryFn: ({ signal }) => read(signal) });
  const mail = useMutation({
    mutationFn: (on: boolean) => call("PATCH /api/evidence", { body: { mail: on } }),
    onError: (error) => toast.error(error.message || "The setting could not be saved. The old one holds."),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  return (
    <Card
      title="Evidence"
      note="Each execution is sealed by a hash over what it captured and over the one before. Once a day one hash is taken over all of them. A job's export carries them, with a program that checks it."
    >
      <div className="grid grid-cols-1 gap-5 p-4">
        {evidence.isPending && <Skeleton className="h-24" />}
        {evidence.isError && (
          <Failed
            title="The heads of the days could not be loaded"
            action="Try again"
            onAction={() => void evidence.refetch()}
          >
            {evidence.error.message || "The connection to the server failed."}
          </Failed>
        )}
        {evidence.data && (
          <>
            <Switch
              label="Mail me the head of each day"
              hint="Kept outside of Watchglass, it proves later that nothing before it was altered."
              checked={mail.isPending ? mail.variables : evidence.data.mail}
              onChange={(on) => mail.mutate(on)}
            />
            <Heads days={evidence.data.days} stamps={evidence.data.stamps} />
          </>
        )}
      </div>
    </Card>
  );
}

function Heads({ days, stamps }: { days: Days; stamps: boolean }) {
  if (days.length === 0)
    return (
      <p className="text-sm text-muted">
        No head yet: the first is taken after midnight (UTC), once a job has been checked.
      </p>
    );
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">Heads of the newest days</h3>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-control border border-line">
        {days.map(({ day, head, jobs, stampedAt, authority, problem }) => (
          <li key={day} className="flex items-center gap-3 px-3 py-2 text-sm">
            <div className="grid min-w-0 flex-1 gap-0.5">
              <p className="flex flex-wrap gap-x-3">
                <time dateTime={day} className="figures font-medium">
                  {day}
                </time>
                <span className="text-muted">{countOf(jobs, "job")}</span>
              </p>
              <p className="truncate font-mono text-xs text-muted" title={head}>
                {head}
              </p>
              {stampedAt && (
                <p className="truncate text-muted" title={authority ?? ""}>
                  Stamped <Time at={stampedAt} /> by {authority}
                </p>
              )}
              {!stampedAt && problem && <p className="text-removed">Not stamped yet. {problem}</p>}
              {!stampedAt && !problem && stamps && <p className="text-muted">Not stamped</p>}
            </div>
            <CopyButton value={head} label={`Copy the head of ${day}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}
