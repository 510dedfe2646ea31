import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { type BlockKind, blockKinds } from "#contract/page-block.ts";
import { type NewSearchAlert, type SearchAlert, starterPatterns, trialDays } from "#contract/search-alert.ts";
import { CallError, call, type ReplyOf } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { modes } from "./search-params.ts";

export type AlertDraft = NewSearchAlert & { id?: string };

export const emptyDraft: AlertDraft = {
  name: "",
  q: "",
  mode: "literal",
  kind: null,
  groupIds: null,
  severity: "important",
  hidesMatch: false,
};

export function draftOf(alert: SearchAlert): AlertDraft {
  const { id, name, q, mode, kind, groupIds, severity, hidesMatch } = alert;
  return { id, name, q, mode, kind, groupIds, severity, hidesMatch };
}

type Trial = ReplyOf<"POST /api/search-alerts/try">;

/** Asks what to look for, where, and how severe it is, and shows what it would have found. */
export function SearchAlertDialog({ draft: given, onClose }: { draft: AlertDraft; onClose: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(given);
  const { id, ...body } = draft;
  const trial = useMutation({
    mutationFn: () => {
      const { q, mode, kind, groupIds } = body;
      return call("POST /api/search-alerts/try", { body: { q, mode, kind, groupIds } });
    },
  });
  const save = useMutation({
    mutationFn: () =>
      id
        ? call("PUT /api/search-alerts/:alertId", { params: { alertId: id }, body })
        : call("POST /api/search-alerts", { body }),
    onSuccess: async ({ message }) => {
      await client.invalidateQueries({ queryKey: ["search", "alerts"] });
      toast.success(message);
      onClose();
    },
  });
  const set = (part: Partial<AlertDraft>) => {
    setDraft((now) => ({ ...now, ...part }));
    trial.reset();
    save.reset();
  };
  const problem = save.error ?? trial.error;
  const fieldError = (name: string) =>
    problem instanceof CallError && problem.field === name ? { error: problem.message } : {};
  const isAtField = problem instanceof CallError && ["name", "q"].includes(problem.field ?? "");
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={id ? "Search alert" : "New search alert"}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button busy={trial.isPending} onClick={() => trial.mutate()}>
            Test on history
          </Button>
          <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        </>
      }
    >
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        {!id && <Starter onChoose={set} />}
        <Field
          label="Name"
          maxLength={60}
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
          {...fieldError("name")}
        />
        <Field
          label="Alert me when this first appears"
          maxLength={300}
          value={draft.q}
          onChange={(event) => set({ q: event.target.value })}
          {...fieldError("q")}
        />
        <Scope draft={draft} set={set} />
        <Switch
          label="Hide most of what was found in alerts, because it’s a secret"
          checked={draft.hidesMatch}
          onChange={(hidesMatch) => set({ hidesMatch })}
        />
        {problem && !isAtField && (
          <p role="alert" className="text-sm text-removed">
            {problem.message || "We couldn’t reach the server. Nothing was saved."}
          </p>
        )}
        {trial.data && <TrialResult trial={trial.data} />}
      </div>
    </Dialog>
  );
}

type SetDraft = (part: Partial<AlertDraft>) => void;

function Starter({ onChoose }: { onChoose: SetDraft }) {
  const [chosen, setChosen] = useState("");
  return (
    <Select
      label="Start from"
      value={chosen}
      onChange={(name) => {
        setChosen(name);
        const starter = starterPatterns.find((one) => one.name === name);
        if (starter) onChoose({ ...starter, mode: "regex", severity: "critical", hidesMatch: true });
      }}
      options={[
        { value: "", label: "My own words" },
        ...starterPatterns.map(({ name }) => ({ value: name, label: `Leaked secret: ${name}` })),
      ]}
    />
  );
}

const severityOptions = [
  { value: "critical", label: "Critical" },
  { value: "important", label: "Important" },
  { value: "notice", label: "Notice" },
  { value: "info", label: "Info" },
];

function Scope({ draft, set }: { draft: AlertDraft; set: SetDraft }) {
  const { data: groups = [] } = useQuery({
    queryKey: ["search", "groups"],
    queryFn: ({ signal }) => call("GET /api/jobs/groups", undefined, { signal }),
  });
  const chosen = draft.groupIds;
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        <Select
          label="Match"
          value={draft.mode}
          onChange={(mode) => set({ mode: mode as AlertDraft["mode"] })}
          options={modes}
        />
        <Select
          label="Kind"
          value={draft.kind ?? ""}
          onChange={(kind) => set({ kind: (kind || null) as BlockKind | null })}
          options={[
            { value: "", label: "Everything" },
            ...Object.entries(blockKinds).map(([value, label]) => ({ value, label })),
          ]}
        />
        <Select
          label="Severity"
          value={draft.severity}
          onChange={(severity) => set({ severity: severity as AlertDraft["severity"] })}
          options={severityOptions}
        />
      </div>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 text-sm font-medium">Groups</legend>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent-text"
            checked={chosen === null}
            onChange={(event) => set({ groupIds: event.target.checked ? null : [] })}
          />
          All groups
        </label>
        {chosen !== null &&
          groups.map(({ id, name }) => (
            <label key={id} className="flex items-center gap-2 wrap-anywhere">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent-text"
                checked={chosen.includes(id)}
                onChange={(event) =>
                  set({
                    groupIds: event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id),
                  })
                }
              />
              {name}
            </label>
          ))}
      </fieldset>
    </>
  );
}

function TrialResult({ trial: { found, isMore, lines } }: { trial: Trial }) {
  return (
    <div role="status" className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-control bg-sunken p-3 text-sm">
      <p className="font-medium">
        In the last {trialDays} days it would have found {isMore && "more than "}
        {countOf(found, "line")}.
      </p>
      {lines.map((line) => (
        <p key={line.id} dir="auto" className="text-muted wrap-anywhere">
          {line.text}
        </p>
      ))}
    </div>
  );
}
