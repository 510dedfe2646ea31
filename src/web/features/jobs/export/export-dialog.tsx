import { useEffect, useRef, useState } from "react";
import type { ExportFormat } from "#contract/export.ts";
import { stream } from "#web/api/call.ts";
import { download, type Progress } from "#web/api/download.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatBytes } from "#web/ui/format-bytes.ts";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import type { Job } from "../queries.ts";
import { makeReport, type ReportChoice, ReportFields, useHasReports } from "./report.tsx";

const encode = (mark: string) => new TextEncoder().encode(mark);

/** `mark` occurs once in each execution's part of the file, so that counting it gives the progress. */
const formats: { id: ExportFormat | "pdf"; name: string; hint: string; mark: Uint8Array }[] = [
  { id: "json", name: "JSON", hint: "Everything about each execution", mark: encode("\n") },
  { id: "csv", name: "CSV", hint: "One row per execution, for spreadsheets", mark: encode("\r\n") },
  {
    id: "zip",
    name: "ZIP",
    hint: "All captures with their seals, a page to view them and a program to verify them",
    mark: encode(".seal"),
  },
  {
    id: "wacz",
    name: "WACZ",
    hint: "A sealed web archive for ReplayWeb.page and other archive tools",
    mark: encode(".seal"),
  },
  {
    id: "pdf",
    name: "PDF report",
    hint: "The changes in words and pictures, ready to share",
    mark: encode(""),
  },
];

/** Exports the job's history and shows the progress. */
export function ExportDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat | "pdf">("json");
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState("");
  const [choice, setChoice] = useState<ReportChoice>({ about: "job", days: 30 });
  const hasReports = useHasReports();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const chosen = formats.find(({ id }) => id === format) ?? formats[0];

  async function start() {
    if (!chosen) return;
    abort.current = new AbortController();
    setProblem("");
    setProgress({ bytes: 0, rows: 0, total: 0 });
    try {
      const { signal } = abort.current;
      const file =
        format === "pdf"
          ? await makeReport(job, choice, signal)
          : await download(
              await stream(
                "GET /api/jobs/:jobId/export",
                { params: { jobId: job.id }, query: { format } },
                { signal },
              ),
              chosen.mark,
              setProgress,
            );
      save(file, `watchglass-${fileName(job.name)}.${format}`);
      onClose();
    } catch (error) {
      if (!abort.current.signal.aborted)
        setProblem(
          (error instanceof Error && error.message) || "The export was interrupted. Nothing was saved.",
        );
      setProgress(undefined);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Export data"
      description={`Every stored execution of “${job.name}”. Header values and the trigger are left out.`}
      footer={
        <>
          <Button onClick={onClose}>{progress ? "Cancel" : "Close"}</Button>
          <Button
            look="primary"
            icon="download"
            busy={progress !== undefined}
            disabled={format === "pdf" && !hasReports}
            onClick={() => void start()}
          >
            Export {chosen?.name}
          </Button>
        </>
      }
    >
      <fieldset className="mt-4 grid gap-2" disabled={progress !== undefined}>
        <legend className="sr-only">Format</legend>
        {formats.map(({ id, name, hint }) => (
          <label
            key={id}
            aria-label={name}
            className="flex items-center gap-3 rounded-control border border-line px-3 py-2 has-checked:border-accent-text has-checked:bg-accent-bg"
          >
            <input
              type="radio"
              name="format"
              checked={format === id}
              onChange={() => setFormat(id)}
              className="size-4 shrink-0 accent-accent-text"
            />
            <span>
              <span className="font-medium">{name}</span>
              <span className="block text-sm text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {format === "pdf" && <ReportFields choice={choice} onChange={setChoice} />}
      {progress && <Bar progress={progress} />}
      {problem && (
        <p role="alert" className="mt-3 text-sm text-removed">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

function Bar({ progress: { rows, total, bytes } }: { progress: Progress }) {
  const done = Math.min(rows, total);
  return (
    <div className="mt-4">
      <ProgressBar label="Export" done={done} total={total}>
        {total === 0
          ? "Starting"
          : `${done.toLocaleString()} of ${countOf(total, "execution")} · ${formatBytes(bytes)}`}
      </ProgressBar>
    </div>
  );
}

/** Makes a name safe to use in a file name on any system. */
export function fileName(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "job"
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
