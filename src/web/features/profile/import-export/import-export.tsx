import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import type { ReplyOf } from "#web/api/call.ts";
import { type ImportProgress, sendImport } from "#web/api/send-import.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { ProgressBar } from "#web/ui/progress-bar.tsx";

type Plan = ReplyOf<"POST /api/import">;
type Item = Plan["items"][number];

/** Runs one import at a time; unmounting aborts it. */
function useImport(dryRun: boolean, on: { onSuccess?: (plan: Plan) => unknown; onSettled?: () => void }) {
  const [progress, setProgress] = useState<ImportProgress>();
  const [problem, setProblem] = useState("");
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const run = useMutation({
    mutationFn: (file: File) => {
      abort.current = new AbortController();
      return sendImport(file, dryRun, setProgress, abort.current.signal);
    },
    ...on,
    onMutate: () => setProblem(""),
    onError: ({ message }) => {
      if (!abort.current?.signal.aborted) setProblem(message || "We couldn’t reach the server.");
    },
    onSettled: () => {
      setProgress(undefined);
      on.onSettled?.();
    },
  });
  return { ...run, progress, problem, stop: () => abort.current?.abort() };
}

/** Imports jobs after a dry run that shows what becomes of them, and exports everything as one archive. */
export function Moving() {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const dryRun = useImport(true, {
    onSettled: () => {
      // Lets the user choose the same file again after fixing it.
      if (input.current) input.current.value = "";
    },
  });
  return (
    <Card title="Import and export">
      <div className="grid grid-cols-1 gap-4 p-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="grid min-w-48 flex-1 gap-0.5">
            <p className="text-sm font-medium">Import</p>
            <p className="text-sm text-muted">
              A list of URLs, CSV, Excel or OPML, or an export from changedetection.io, urlwatch, webchanges,
              Distill or Watchglass. You get a preview before anything is created.
            </p>
            {dryRun.problem && (
              <p role="alert" className="text-sm text-removed">
                {dryRun.problem}
              </p>
            )}
          </div>
          <input
            ref={input}
            type="file"
            className="sr-only"
            tabIndex={-1}
            aria-label="File to import"
            onChange={(event) => {
              const chosen = event.target.files?.[0];
              if (!chosen) return;
              setFile(chosen);
              dryRun.mutate(chosen);
            }}
          />
          {dryRun.isPending ? (
            <Button size="sm" onClick={dryRun.stop}>
              Cancel
            </Button>
          ) : (
            <Button size="sm" onClick={() => input.current?.click()}>
              Choose a file
            </Button>
          )}
        </div>
        {dryRun.isPending && <ImportBar progress={dryRun.progress} />}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="grid min-w-48 flex-1 gap-0.5">
            <p className="text-sm font-medium">Archive</p>
            <p className="text-sm text-muted">
              Your jobs and groups with their rules, full history and channel settings, as one ZIP file.
              Import it above to move to another installation. Secrets aren’t included: header values,
              triggers and channel addresses.
            </p>
          </div>
          <a
            href="/api/export"
            download="watchglass.zip"
            className="inline-flex h-7 items-center rounded-control bg-surface px-2.5 text-sm font-medium text-ink ring-1 ring-line-strong ring-inset hover:bg-hover"
          >
            Download
          </a>
        </div>
      </div>
      {file && dryRun.data && (
        <Confirm
          file={file}
          plan={dryRun.data}
          onClose={() => {
            dryRun.reset();
            setFile(undefined);
          }}
        />
      )}
    </Card>
  );
}

function ImportBar({ progress }: { progress: ImportProgress | undefined }) {
  const { what, done, total } = progress ?? { what: "", done: 0, total: 0 };
  return (
    <ProgressBar label="Import" done={done} total={total}>
      {total === 0 ? "Starting" : `${done.toLocaleString()} of ${total.toLocaleString()} ${what}`}
    </ProgressBar>
  );
}

function Confirm({ file, plan, onClose }: { file: File; plan: Plan; onClose: () => void }) {
  const client = useQueryClient();
  const run = useImport(false, {
    onSuccess: async ({ taken }) => {
      toast.success(`${countOf(taken, "job")} imported.`);
      onClose();
      await client.invalidateQueries();
    },
  });
  const left = plan.items.length - plan.taken;
  const shared = sharedNotes(plan.items);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Import ${file.name}`}
      description={`${plan.format}: ${left === 0 ? countOf(plan.taken, "job") : `${plan.taken} of ${countOf(plan.items.length, "job")}`} can be imported. Nothing has been created yet.`}
      footer={
        <>
          <Button onClick={run.isPending ? run.stop : onClose}>{run.isPending ? "Cancel" : "Close"}</Button>
          <Button
            look="primary"
            busy={run.isPending}
            disabled={plan.taken === 0}
            onClick={() => run.mutate(file)}
          >
            Import {countOf(plan.taken, "job")}
          </Button>
        </>
      }
    >
      {run.isPending && (
        <div className="sticky top-0 bg-raised py-3">
          <ImportBar progress={run.progress} />
        </div>
      )}
      {run.problem && (
        <p role="alert" className="mt-3 text-sm text-removed">
          {run.problem}
        </p>
      )}
      {shared.map((note) => (
        <p key={note} className="mt-3 text-sm text-changed">
          {note}
        </p>
      ))}
      <ul className="mt-3 divide-y divide-line rounded-control border border-line">
        {plan.items.map((item, at) => (
          <Row key={`${at} ${item.url}`} item={item} told={shared} />
        ))}
      </ul>
      {plan.channels.length > 0 && (
        <ul className="mt-3 grid gap-1 text-sm text-muted">
          {plan.channels.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** Notes that would stand in every row, such as a column that is not known. */
function sharedNotes([first, ...others]: Item[]): string[] {
  if (!first || others.length === 0) return [];
  return first.notes.filter((note) => others.every(({ notes }) => notes.includes(note)));
}

function Row({ item, told }: { item: Item; told: string[] }) {
  const rules = [
    ...(item.selector ? [`only ${item.selector.replaceAll("\n", ", ")}`] : []),
    ...(item.ignore.length > 0 ? [`without ${item.ignore.join(", ")}`] : []),
    ...(item.lookup.length > 0 ? [`alerts on ${item.lookup.join(", ")}`] : []),
    ...(item.headers.length > 0 ? [`with ${item.headers.join(", ")}`] : []),
  ];
  return (
    <li className="grid gap-0.5 px-3 py-2">
      <p className="font-medium wrap-anywhere">
        <span aria-hidden="true" className={item.problem ? "text-removed" : "text-added"}>
          {item.problem ? "✗" : "+"}
        </span>{" "}
        {item.group} / {item.name}
      </p>
      <p className="text-sm text-muted wrap-anywhere">
        {item.url} · every {item.frequency} min{item.paused && " · paused"}
      </p>
      {rules.length > 0 && <p className="text-sm text-muted wrap-anywhere">{rules.join("; ")}</p>}
      {item.more.length > 0 && <p className="text-sm text-muted wrap-anywhere">{item.more.join(" ")}</p>}
      {item.problem && <p className="text-sm text-removed">{item.problem}</p>}
      {item.notes
        .filter((note) => !told.includes(note))
        .map((note) => (
          <p key={note} className="text-sm text-changed">
            {note}
          </p>
        ))}
    </li>
  );
}
