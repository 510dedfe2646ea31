import { useQuery } from "@tanstack/react-query";
import { call } from "#web/api/call.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import type { SectionProps } from "./section-props.ts";

/** Whether the job watches one page or the whole site, and within which limits. */
export function SiteSection({ fields, problems, plan, put, jobId }: SectionProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Check
        isOn={fields.isSite}
        onChange={(isSite) => put({ isSite })}
        label="Watch the whole site"
        hint="Each check crawls the site from the URL and lists its pages. You’ll get an alert when pages appear, vanish or move, or when their status, title or script hosts change."
      />
      {fields.isSite && (
        <>
          <Check
            isOn={fields.siteSubdomains}
            onChange={(siteSubdomains) => put({ siteSubdomains })}
            label="Include subdomains"
          />
          <ScopeChoice jobId={jobId} chosen={fields.siteScope} onChange={(siteScope) => put({ siteScope })} />
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <TextArea
              label="Only these paths"
              rows={2}
              placeholder="/docs/"
              hint="One per line; * stands for any characters. Leave empty for the whole host."
              value={fields.sitePaths}
              onChange={(event) => put({ sitePaths: event.target.value })}
              error={problems.sitePaths}
            />
            <TextArea
              label="Never these paths"
              rows={2}
              placeholder={"/search\n/*.pdf$"}
              hint="One per line. These addresses aren’t requested."
              value={fields.siteExclude}
              onChange={(event) => put({ siteExclude: event.target.value })}
              error={problems.siteExclude}
            />
            <Field
              label="Pages per check"
              type="number"
              inputMode="numeric"
              min={1}
              value={fields.siteMaxPages}
              onChange={(event) => put({ siteMaxPages: event.target.value })}
              error={problems.siteMaxPages}
              hint={`At most ${plan.sitePages.toLocaleString("en")} on the ${plan.name} plan.`}
            />
            <Field
              label="Requests per second"
              type="number"
              inputMode="decimal"
              min={0.05}
              max={10}
              step="any"
              value={fields.sitePerSecond}
              onChange={(event) => put({ sitePerSecond: event.target.value })}
              error={problems.sitePerSecond}
              hint="For each host, and slower if its robots.txt asks for that."
            />
          </div>
          <Check
            isOn={fields.siteRobots}
            onChange={(siteRobots) => put({ siteRobots })}
            label="Obey robots.txt"
            hint="Turn this off only for a site that is yours, or that you’re allowed to test."
          />
        </>
      )}
    </div>
  );
}

type ScopeProps = { jobId: string | undefined; chosen: string; onChange: (jobId: string) => void };

/** The job that watches a bug bounty program's scope list, whose hosts belong to the site too. */
function ScopeChoice({ jobId, chosen, onChange }: ScopeProps) {
  const { data } = useQuery({
    queryKey: ["jobs-for-scope"],
    queryFn: ({ signal }) => call("GET /api/jobs", { query: {} }, { signal }),
  });
  const jobs = (data?.jobs ?? []).filter(({ id }) => id !== jobId);
  if (jobs.length === 0 && chosen === "") return null;
  const isKnown = chosen === "" || jobs.some(({ id }) => id === chosen);
  return (
    <div className="grid gap-1.5">
      <Select
        label="Hosts of a scope list"
        value={chosen}
        onChange={onChange}
        options={[
          { value: "", label: "None" },
          ...jobs.map(({ id, name }) => ({ value: id, label: name })),
          ...(isKnown ? [] : [{ value: chosen, label: "Another job" }]),
        ]}
      />
      <p className="text-sm text-muted">
        A job of yours that watches a bug bounty program’s scope: each check of the site also crawls the hosts
        that are in scope then.
      </p>
    </div>
  );
}

type CheckProps = { isOn: boolean; onChange: (isOn: boolean) => void; label: string; hint?: string };

function Check({ isOn, onChange, label, hint }: CheckProps) {
  return (
    <label className="flex items-start gap-2 text-sm">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent-text"
      />
      <span>
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-muted">{hint}</span>}
      </span>
    </label>
  );
}
