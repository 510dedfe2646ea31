import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { type Job, useGroups } from "../queries.ts";
import { RuleForm, type SiteRule } from "./rule-form.tsx";
import { useSiteRules } from "./use-site.ts";

/** Rules that make jobs of the site's pages, and the trial of a new one. */
export function JobRules({ job, template }: { job: Job; template: string }) {
  const rules = useSiteRules(job.id);
  const groups = useGroups();
  const [edited, setEdited] = useState("");
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
              isEdited={rule.id === edited}
              onEdit={() => setEdited(rule.id === edited ? "" : rule.id)}
            />
          ))}
        </ul>
      )}
      <RuleForm
        key={`${template} ${edited}`}
        job={job}
        groups={groups.data}
        template={template}
        rule={rules.data.rules.find(({ id }) => id === edited)}
        onSaved={() => setEdited("")}
      />
    </div>
  );
}

type RuleRowProps = { jobId: string; rule: SiteRule; group: string; isEdited: boolean; onEdit: () => void };

function RuleRow({ jobId, rule, group, isEdited, onEdit }: RuleRowProps) {
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
      <Button size="sm" aria-pressed={isEdited} onClick={onEdit}>
        Edit<span className="sr-only"> the rule for {rule.value}</span>
      </Button>
      <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
        Remove<span className="sr-only"> the rule for {rule.value}</span>
      </Button>
    </li>
  );
}
