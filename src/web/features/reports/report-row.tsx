import { useState } from "react";
import { call } from "#web/api/call.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { type Report, useReportAction } from "./queries.ts";
import { ShareReport } from "./share-report.tsx";

const day = (at: string) => at.slice(0, 10);

/** A report with its progress and its actions. */
export function ReportRow({ report }: { report: Report }) {
  const [open, setOpen] = useState<"share" | "delete">();
  const { id, title, from, to, createdAt, state, scheduled, sharedUntil } = report;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <p className="truncate font-medium" title={title}>
          {title}
        </p>
        <p className="text-sm text-muted">
          <span className="figures">
            {day(from)} to {day(to)}
          </span>
          , {scheduled ? "created by a schedule" : "made"} <Time at={createdAt} />
          {sharedUntil && (
            <>
              , shared until <span className="figures">{day(sharedUntil)}</span>
            </>
          )}
        </p>
        {state === "queued" && <ReportProgress report={report} />}
        {state === "failed" && (
          <p className="text-sm text-removed">
            This report could not be created. Choose a shorter period or fewer jobs, and try again.
          </p>
        )}
      </div>
      <div className="flex items-center gap-1">
        {state === "ready" && (
          <>
            <Download id={id} title={title} format="pdf" />
            <Download id={id} title={title} format="html" />
            <IconButton icon="share" label={`Share ${title}`} onClick={() => setOpen("share")} />
          </>
        )}
        <IconButton icon="trash" label={`Delete ${title}`} onClick={() => setOpen("delete")} />
      </div>
      {open === "share" && <ShareReport report={report} onClose={() => setOpen(undefined)} />}
      {open === "delete" && <DeleteReport report={report} onClose={() => setOpen(undefined)} />}
    </li>
  );
}

/** A plain link, so that the browser saves the file while it downloads. */
function Download({ id, title, format }: { id: string; title: string; format: "pdf" | "html" }) {
  return (
    <a
      href={`/api/reports/${id}/${format}`}
      download
      className="inline-flex h-8 items-center rounded-control px-2.5 text-sm font-medium text-accent-text hover:bg-hover"
    >
      {format.toUpperCase()}
      <span className="sr-only"> of {title}</span>
    </a>
  );
}

function ReportProgress({ report: { done, total } }: { report: Report }) {
  return (
    <div className="mt-1 grid max-w-80 gap-1">
      <progress
        value={done}
        max={total || 1}
        aria-label="Creating the report"
        className="h-1.5 w-full accent-accent-text"
      />
      <p className="figures text-sm text-muted">
        {total === 0 ? "Waiting" : `${Math.floor((done / total) * 100)}% made`}
      </p>
    </div>
  );
}

function DeleteReport({
  report: { id, title, sharedUntil },
  onClose,
}: {
  report: Report;
  onClose: () => void;
}) {
  const remove = useReportAction(() => call("DELETE /api/reports/:reportId", { params: { reportId: id } }));
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete report"
      description={`“${title}” will be permanently deleted${sharedUntil ? ", and its link stops working" : ""}.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            busy={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
          >
            Delete
          </Button>
        </>
      }
    />
  );
}
