import { toPlainHttp } from "#contract/page-url.ts";
import { CallError } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { PlainHttpQuestion } from "#web/ui/plain-http-question.tsx";
import type { JobFields } from "../job-form/fields.ts";
import { usePreview } from "./use-preview.ts";

type PreviewFieldProps = {
  fields: JobFields;
  onPick: (previewId: string) => void;
  onUrl: (url: string) => void;
};

/** 'Preview': what a check of this URL would capture, before the job exists. */
export function PreviewField({ fields, onPick, onUrl }: PreviewFieldProps) {
  const { ask, isBusy, problem, hasNoAnswer, ready } = usePreview(fields);
  const plainHttp = hasNoAnswer ? toPlainHttp(fields.url) : null;
  return (
    <div className="grid gap-2" aria-live="polite">
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" icon="eye" busy={isBusy} disabled={fields.url.trim() === ""} onClick={ask}>
          {ready ? "Preview again" : "Preview"}
        </Button>
        {ready?.hasImage && (
          <Button size="sm" icon="pick" onClick={() => onPick(ready.id)}>
            Pick on the page
          </Button>
        )}
        <span className="min-w-0 flex-1 truncate text-sm text-muted">
          {isBusy
            ? "Loading the page"
            : ready
              ? `${ready.status_code ?? ""} ${ready.title}`.trim()
              : !problem && "Preview without creating a job."}
        </span>
      </div>
      {problem && !isBusy && (
        <p role="alert" className="text-sm text-removed">
          {problem.message || (problem instanceof CallError ? "We couldn’t reach the server." : "")}
        </p>
      )}
      <PlainHttpQuestion
        isOffered={plainHttp !== null && !isBusy}
        onAccept={() => plainHttp && onUrl(plainHttp)}
      />
      {ready?.hasImage && (
        <div className="h-40 overflow-hidden rounded-control border border-line bg-white">
          <img src={`/api/previews/${ready.id}/image`} alt="The page as a check sees it" className="w-full" />
        </div>
      )}
    </div>
  );
}
