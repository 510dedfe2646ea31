import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { type Group, type Job, keys, useGroups } from "../queries.ts";
import { useSiteRules } from "./use-site.ts";

type Trial = ReplyOf<"POST /api/jobs/:jobId/site/rules/try">;
type Draft = {
  value: string;
  groupId: string;
  maxJobs: string;
  sample: "first" | "newest" | "spread";
  frequency: string;
};

const samples = [
  { value: "first", label: "Take the first by address" },
  { value: "newest", label: "Take the newest" },
  { value: "spread", label: "Take an even sample" },
] as const satisfies { value: Draft["sample"]; label: string }[];

/** Rules that make jobs of the site's pages, and the trial of a new one. */
export function JobRules({ job, template }: { job: Job; template: string }) {
  const rules = useSiteRules(job.id);
  const groups = useGroups();
  if (rules.error && !rules.data)
    return (
      <Failed title="We couldn’t load the rules" action="Try again" onAction={() => void rules.refetch()}>
        {rules.error.message || "We couldn’t reach the server."}
      </Failed>
    );
  if (!rules.data || !groups.data) return <Skeleton className="m-4 h-40" />;
  return (
    <div>
      {rules.data.rules.length > 0 && (
        <ul aria-label="Rules" className="text-sm">
          {rules.data.rules.map((rule) => (
            <RuleRow
              key={rule.id}
              jobId={job.id}
              rule={rule}
              group={groups.data.find(({ id }) => id === rule.groupId)?.name ?? ""}
            />
          ))}
        </ul>
      )}
      <NewRule key={template} job={job} groups={groups.data} template={template} />
    </div>
  );
}

type Rule = ReplyOf<"GET /api/jobs/:jobId/site/rules">["rules"][number];

function RuleRow({ jobId, rule, group }: { jobId: string; rule: Rule; group: string }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      call("DELETE /api/jobs/:jobId/site/rules/:ruleId", { params: { jobId, ruleId: rule.id } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t remove the rule."),
    onSettled: () => client.invalidateQueries({ queryKey: ["site", jobId, "rules"] }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <p className="font-mono text-xs wrap-anywhere">{rule.value}</p>
        <p className="text-muted">
          {countOf(rule.jobs, "job")} of at most {rule.maxJobs} in {group}, every{" "}
          {countOf(rule.frequency, "minute")}
          {rule.retired > 0 && `; ${rule.retired} retired`}
        </p>
        {rule.problem && <p className="wrap-anywhere text-changed">{rule.problem}</p>}
      </div>
      <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
        Remove<span className="sr-only"> the rule for {rule.value}</span>
      </Button>
    </li>
  );
}

function NewRule({ job, groups, template }: { job: Job; groups: Group[]; template: string }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({
    value: template,
    groupId: job.groupId,
    maxJobs: "10",
    sample: "first",
    frequency: String(job.frequencyMinutes),
  });
  const [trial, setTrial] = useState<Trial>();
  const put = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    setTrial(undefined);
  };
  const body = {
    by: draft.value.includes("{") ? ("template" as const) : ("pattern" as const),
    value: draft.value.trim(),
    groupId: draft.groupId,
    maxJobs: Number(draft.maxJobs),
    sample: draft.sample,
    frequency: Number(draft.frequency),
  };
  const params = { jobId: job.id };
  const onError = (error: Error) => toast.error(error.message || "We couldn’t reach the server.");
  const test = useMutation({
    mutationFn: () => call("POST /api/jobs/:jobId/site/rules/try", { params, body }),
    onSuccess: setTrial,
    onError,
  });
  const save = useMutation({
    mutationFn: () => call("POST /api/jobs/:jobId/site/rules", { params, body }),
    onSuccess: ({ message }) => {
      toast.success(message);
      setTrial(undefined);
      void client.invalidateQueries({ queryKey: ["group"] });
      void client.invalidateQueries({ queryKey: keys.groups });
      void client.invalidateQueries({ queryKey: ["site", job.id, "rules"] });
    },
    onError,
  });
  return (
    <form
      className="grid gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate();
      }}
    >
      <p className="text-sm text-muted">
        A rule creates jobs for pages and updates them after each crawl. If a page is gone, its job is paused,
        never deleted.
      </p>
      <div className="grid items-start gap-4 @xl:grid-cols-2">
        <Field
          label="Path or template"
          mono
          placeholder="/docs/*"
          value={draft.value}
          onChange={(event) => put({ value: event.target.value })}
          hint="The start of the path; * stands for any characters. Or choose one under Templates."
        />
        <Select
          label="Group of the jobs"
          value={draft.groupId}
          onChange={(groupId) => put({ groupId })}
          options={groups.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Field
          label="Maximum number of jobs"
          type="number"
          min={1}
          value={draft.maxJobs}
          onChange={(event) => put({ maxJobs: event.target.value })}
        />
        <Select
          label="If more pages match"
          value={draft.sample}
          onChange={(sample) => put({ sample: sample as Draft["sample"] })}
          options={samples}
        />
        <Field
          label="Frequency in minutes"
          type="number"
          min={1}
          value={draft.frequency}
          onChange={(event) => put({ frequency: event.target.value })}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={test.isPending} disabled={draft.value.trim() === ""}>
          Preview the jobs
        </Button>
        {trial && trial.jobs.length > 0 && (
          <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
            Create {countOf(trial.jobs.filter(({ plan }) => plan === "make").length, "job")}
          </Button>
        )}
      </div>
      {trial && <TrialResult trial={trial} />}
    </form>
  );
}

function TrialResult({ trial: { matching, jobs, cost, problem } }: { trial: Trial }) {
  return (
    <section aria-label="Jobs of the rule" className="grid gap-2 text-sm">
      <p>
        {countOf(matching, "page")} {matching === 1 ? "matches" : "match"}. With these jobs, the group has{" "}
        {cost.groupJobs} of {countOf(cost.allowedGroupJobs, "job")}
        {cost.allowedJobs !== null && `, and you have ${cost.jobs} of ${cost.allowedJobs} in total`}. They add{" "}
        {countOf(cost.checksPerDay, "check")} a day.
      </p>
      {problem && <p className="text-changed">{problem}</p>}
      <ul className="grid gap-1">
        {jobs.map(({ url, name }) => (
          <li key={url} className="grid rounded-control bg-sunken px-3 py-1.5">
            <span className="wrap-anywhere">{name}</span>
            <span className="font-mono text-xs wrap-anywhere text-muted">{url}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
