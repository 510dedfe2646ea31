import { ApiError } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import type { JobFields } from "../dialogs/fields.ts";
import { usePreview } from "./use-preview.ts";

type PreviewFieldProps = { fields: JobFields; onPick: (previewId: string) => void };

/** 'Preview': what a check of this address would see, before there is a job. */
export function PreviewField({ fields, onPick }: PreviewFieldProps) {
  const { ask, isBusy, problem, ready } = usePreview(fields);
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
            ? "Looking at the page"
            : ready
              ? `${ready.status_code ?? ""} ${ready.title}`.trim()
              : !problem && "One look at it; no job is made."}
        </span>
      </div>
      {problem && !isBusy && (
        <p role="alert" className="text-sm text-removed">
          {problem.message || (problem instanceof ApiError ? "The server could not be reached." : "")}
        </p>
      )}
      {ready?.hasImage && (
        <div className="h-40 overflow-hidden rounded-control border border-line bg-white">
          <img src={`/api/previews/${ready.id}/image`} alt="The page as a check sees it" className="w-full" />
        </div>
      )}
    </div>
  );
}
