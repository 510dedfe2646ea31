import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { type Group, type Job, keys } from "../queries.ts";

type Trial = ReplyOf<"POST /api/jobs/:jobId/site/rules/try">;
export type SiteRule = ReplyOf<"GET /api/jobs/:jobId/site/rules">["rules"][number];
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

type RuleFormProps = {
  job: Job;
  groups: Group[];
  /** What a new rule begins with. */
  template: string;
  rule: SiteRule | undefined;
  onSaved: () => void;
};

/** A new rule or one that is changed: what it would do is shown before it is saved. */
export function RuleForm({ job, groups, template, rule, onSaved }: RuleFormProps) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>({
    value: rule?.value ?? template,
    groupId: rule?.groupId ?? job.groupId,
    maxJobs: String(rule?.maxJobs ?? 10),
    sample: rule?.sample ?? "first",
    frequency: String(rule?.frequency ?? job.frequencyMinutes),
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
    mutationFn: () =>
      call("POST /api/jobs/:jobId/site/rules/try", { params, body, query: rule ? { ruleId: rule.id } : {} }),
    onSuccess: setTrial,
    onError,
  });
  const save = useMutation({
    mutationFn: (): Promise<{ message: string }> =>
      rule
        ? call("PUT /api/jobs/:jobId/site/rules/:ruleId", { params: { ...params, ruleId: rule.id }, body })
        : call("POST /api/jobs/:jobId/site/rules", { params, body }),
    onSuccess: ({ message }) => {
      toast.success(message);
      setTrial(undefined);
      onSaved();
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
        {rule
          ? "Jobs that this rule has created keep their group and frequency. A job that it no longer covers is paused, never deleted."
          : "A rule creates jobs for pages and updates them after each crawl. If a page is gone, its job is paused, never deleted."}
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
        {trial && (rule || trial.jobs.length > 0) && (
          <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
            {rule ? "Save the rule" : `Create ${countOf(countPlanned(trial, "make"), "job")}`}
          </Button>
        )}
      </div>
      {trial && <TrialResult trial={trial} />}
    </form>
  );
}

const planned: Record<Exclude<Trial["jobs"][number]["plan"], "make">, string> = {
  keep: "Stays as it is",
  retire: "Will be paused",
  revive: "Will be resumed",
};

const countPlanned = ({ jobs }: Trial, wanted: Trial["jobs"][number]["plan"]) =>
  jobs.filter(({ plan }) => plan === wanted).length;

/** The result comes below the form, where it may be below the window. */
const showAtOnce = (result: HTMLElement | null) => result?.scrollIntoView({ block: "nearest" });

function TrialResult({ trial: { matching, jobs, cost, problem } }: { trial: Trial }) {
  return (
    <section ref={showAtOnce} aria-label="Jobs of the rule" className="grid gap-2 text-sm">
      <p>
        {countOf(matching, "page")} {matching === 1 ? "matches" : "match"}. With these jobs, the group has{" "}
        {cost.groupJobs} of {countOf(cost.allowedGroupJobs, "job")}
        {cost.allowedJobs !== null && `, and you have ${cost.jobs} of ${cost.allowedJobs} in total`}. They add{" "}
        {countOf(cost.checksPerDay, "check")} a day.
      </p>
      {problem && <p className="text-changed">{problem}</p>}
      <ul className="grid gap-1">
        {jobs.map(({ url, name, plan }) => (
          <li key={url} className="grid rounded-control bg-sunken px-3 py-1.5">
            <span className="wrap-anywhere">{name}</span>
            {plan !== "make" && <span className="text-muted">{planned[plan]}</span>}
            <span className="font-mono text-xs wrap-anywhere text-muted">{url}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
