import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useSiteTemplates } from "./use-site.ts";

/** The templates of a site: addresses of one shape, as one row with a count. */
export function TemplateMap({
  jobId,
  onMakeJobs,
}: {
  jobId: string;
  onMakeJobs: (template: string) => void;
}) {
  const { data, error, refetch } = useSiteTemplates(jobId);
  if (error && !data)
    return (
      <Failed title="We couldn’t load the templates" action="Try again" onAction={() => void refetch()}>
        {error.message || "We couldn’t reach the server."}
      </Failed>
    );
  if (!data) return <Skeleton className="m-4 h-40" />;
  if (data.templates.length === 0)
    return (
      <Empty icon="clock" title="No templates yet">
        Pages with the same layout appear here as one row.
      </Empty>
    );
  const most = data.templates[0]?.pages ?? 1;
  return (
    <ul aria-label="Templates" className="text-sm">
      {data.templates.map(({ template, pages, skeletons, example, title }) => (
        <li
          key={template}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-0 hover:bg-hover"
        >
          <div className="grid gap-1">
            <p className="font-mono text-xs wrap-anywhere">{template}</p>
            <div aria-hidden="true" className="h-1 rounded-full bg-line">
              <div
                className="h-1 rounded-full bg-accent-text"
                style={{ width: `${Math.max(1, (100 * pages) / most)}%` }}
              />
            </div>
            <p className="wrap-anywhere text-muted">
              {countOf(pages, "page")}
              {skeletons > 1 && `, in ${skeletons} layouts`}, such as “{title || new URL(example).pathname}”
            </p>
          </div>
          <Button size="sm" onClick={() => onMakeJobs(template)}>
            Create jobs<span className="sr-only"> for {template}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
