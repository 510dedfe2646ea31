import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import type { OpinionState } from "#contract/second-opinion.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";

const key = ["second-opinion"];

/** Sets up the language model that gives a second opinion about changes, and shows what it used this month. */
export function SecondOpinion() {
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const { data, isPending, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call("GET /api/second-opinion", undefined, { signal }),
  });
  const refresh = () => void client.invalidateQueries({ queryKey: key });
  return (
    <Card
      title="Second opinion"
      note="A language model of your choice says in one sentence what changed, and can move unimportant alerts to the daily digest. It can’t silence anything: security findings, conditions, numbers, and important or critical changes are always sent at once, and so is every alert that it doesn’t answer in time."
    >
      {isPending && <Skeleton className="m-4 h-14" />}
      {error && (
        <Failed title="We couldn’t load the settings" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {data && !data.endpoint && (
        <Empty icon="link" title="No model yet">
          <span className="grid justify-items-center gap-3">
            Any endpoint that speaks OpenAI’s chat completions: Ollama, vLLM, llama.cpp, LM Studio or a cloud.
            It only gets the text that changed, the job’s name and what you said matters to you.
            <Button size="sm" icon="plus" onClick={() => setEditing(true)}>
              Set up a model
            </Button>
          </span>
        </Empty>
      )}
      {data?.endpoint && <Endpoint state={data} onEdit={() => setEditing(true)} onChanged={refresh} />}
      {isEditing && (
        <EndpointDialog
          endpoint={data?.endpoint ?? null}
          onSaved={refresh}
          onClose={() => setEditing(false)}
        />
      )}
    </Card>
  );
}

type EndpointProps = { state: OpinionState; onEdit: () => void; onChanged: () => void };

function Endpoint({ state, onEdit, onChanged }: EndpointProps) {
  const { endpoint } = state;
  const test = useMutation({
    mutationFn: () => call("POST /api/second-opinion/test"),
    onSuccess: ({ message, opinion }) => (opinion.class ? toast.success : toast.error)(message),
    onError: (error) => toast.error(error.message || "We couldn’t test the model."),
    onSettled: onChanged,
  });
  const remove = useMutation({
    mutationFn: () => call("DELETE /api/second-opinion"),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t remove the model."),
    onSettled: onChanged,
  });
  if (!endpoint) return null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <div className="grid min-w-48 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
          <p className="font-medium wrap-anywhere">{endpoint.model}</p>
          <p className="font-mono text-sm wrap-anywhere text-muted">{endpoint.url}</p>
          <p className="text-sm text-muted">
            {endpoint.isOn ? "On for jobs that use it" : "Off: only tests ask it"}
            {" · "}
            {endpoint.hasKey ? "key stored" : "no key"}
            {endpoint.succeededAt && (
              <>
                {" · worked "}
                <Time at={endpoint.succeededAt} />
              </>
            )}
          </p>
          {endpoint.problem && (
            <p className="text-sm text-removed">
              {endpoint.problem}
              {endpoint.failedAt && (
                <>
                  {" ("}
                  <Time at={endpoint.failedAt} />)
                </>
              )}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
            Test
          </Button>
          <Button size="sm" onClick={onEdit}>
            Edit
          </Button>
          <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        </div>
      </div>
      {test.data?.opinion.sentence && (
        <p className="border-b border-line px-4 py-3 text-sm">
          <span className="text-muted">Its answer to a made-up change of refund terms: </span>“
          {test.data.opinion.sentence}”
        </p>
      )}
      <Use state={state} />
    </>
  );
}

const number = new Intl.NumberFormat("en-US");
const money = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 });

function Use({ state: { month, spent, endpoint, jobs } }: { state: OpinionState }) {
  const tokens = spent.inputTokens + spent.outputTokens;
  return (
    <section className="grid gap-2 px-4 py-3">
      <h3 className="text-sm font-semibold">Used in {month} (UTC)</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Calls</dt>
        <dd className="figures">
          {number.format(spent.calls)} of {number.format(endpoint?.maxCalls ?? 0)}
        </dd>
        <dt className="text-muted">Tokens</dt>
        <dd className="figures">
          {number.format(tokens)} of {number.format(endpoint?.maxTokens ?? 0)}
        </dd>
        {spent.cost !== null && (
          <>
            <dt className="text-muted">Cost</dt>
            <dd className="figures">{money.format(spent.cost)}, at your prices</dd>
          </>
        )}
      </dl>
      {jobs.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {jobs.map((job) => (
            <li key={job.jobId} className="flex gap-2">
              <span className="min-w-0 flex-1 truncate">{job.name}</span>
              <span className="figures text-muted">
                {countOf(job.calls, "call")}, {countOf(job.tokens, "token")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
