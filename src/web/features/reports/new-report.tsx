import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { useGroups } from "./queries.ts";

type Draft = {
  about: "groups" | "search";
  groupIds: string[];
  search: string;
  period: "7" | "30" | "90" | "own";
  from: string;
  to: string;
  repeat: "once" | "week" | "month";
  title: string;
  note: string;
};

const today = () => new Date().toISOString().slice(0, 10);
const empty: Draft = {
  about: "groups",
  groupIds: [],
  search: "",
  period: "30",
  from: "",
  to: "",
  repeat: "once",
  title: "",
  note: "",
};

/** Returns what is missing or wrong in a draft, or undefined. */
function problemOf(draft: Draft): string | undefined {
  if (draft.about === "groups" && draft.groupIds.length === 0) return "Choose at least one group.";
  if (draft.about === "search" && !draft.search.trim()) return "Enter what to search for.";
  if (draft.repeat === "once" && draft.period === "own") {
    if (!draft.from || !draft.to) return "Choose the first and the last day.";
    if (draft.from > draft.to) return "The report must start before it ends.";
  }
  return undefined;
}

function periodOf({ period, from, to }: Draft): { from: string; to?: string } {
  if (period !== "own") return { from: new Date(Date.now() - Number(period) * 86_400_000).toISOString() };
  // The last day is included in full.
  const end = new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString();
  return { from: `${from}T00:00:00.000Z`, to: end };
}

/** Asks for a report's scope, period and frequency, and its title, note and logo. */
export function NewReport({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>(empty);
  const [logo, setLogo] = useState<File>();
  const [problem, setProblem] = useState("");
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }));
  const make = useMutation({
    mutationFn: async () => {
      const body = {
        ...(draft.about === "groups" ? { groupIds: draft.groupIds } : { search: draft.search.trim() }),
        ...(draft.title.trim() ? { title: draft.title.trim() } : {}),
        ...(draft.note.trim() ? { note: draft.note.trim() } : {}),
        ...(logo ? { logo: await toBase64(logo) } : {}),
      };
      if (draft.repeat === "once") await call("POST /api/reports", { body: { ...body, ...periodOf(draft) } });
      else await call("POST /api/report-schedules", { body: { ...body, every: draft.repeat } });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["reports"] });
      toast.success(draft.repeat === "once" ? "We’re creating the report." : "The schedule is saved.");
      onClose();
    },
    onError: (error) => setProblem(error.message || "We couldn’t reach the server. No report was requested."),
  });

  function submit() {
    const found =
      problemOf(draft) ?? (logo && logo.size > 512 * 1024 ? "The logo must be at most 512 KiB." : "");
    setProblem(found);
    if (!found) make.mutate();
  }

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="New report"
      description="A report about one job is under Export data of that job."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={make.isPending} onClick={submit}>
            {draft.repeat === "once" ? "Create report" : "Save schedule"}
          </Button>
        </>
      }
    >
      <div className="mt-4 grid gap-4">
        <Select
          label="About"
          value={draft.about}
          onChange={(about) => set({ about: about === "search" ? "search" : "groups" })}
          options={[
            { value: "groups", label: "All jobs of groups" },
            { value: "search", label: "Jobs found by a search" },
          ]}
        />
        {draft.about === "groups" ? (
          <GroupChoice chosen={draft.groupIds} onChange={(groupIds) => set({ groupIds })} />
        ) : (
          <Field
            label="Search"
            hint="Searches the names and URLs of your jobs."
            value={draft.search}
            maxLength={200}
            onChange={(event) => set({ search: event.target.value })}
          />
        )}
        <PeriodFields draft={draft} set={set} />
        <Field
          label="Title"
          hint="Leave empty to use the group names."
          value={draft.title}
          maxLength={120}
          onChange={(event) => set({ title: event.target.value })}
        />
        <TextArea
          label="Note"
          hint="Shown on the cover."
          value={draft.note}
          maxLength={2000}
          onChange={(event) => set({ note: event.target.value })}
        />
        <Field
          label="Logo"
          hint="JPEG, PNG or WebP, at most 512 KiB."
          type="file"
          accept="image/jpeg,image/png,image/webp"
          onChange={(event) => setLogo(event.target.files?.[0])}
          className="[&_input]:h-auto [&_input]:py-1"
        />
        {problem && (
          <p role="alert" className="text-sm text-removed">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function PeriodFields({ draft, set }: { draft: Draft; set: (part: Partial<Draft>) => void }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="How often"
          value={draft.repeat}
          onChange={(repeat) => set({ repeat: repeat as Draft["repeat"] })}
          options={[
            { value: "once", label: "Once, now" },
            { value: "week", label: "Every Monday, by email" },
            { value: "month", label: "On the first of each month, by email" },
          ]}
        />
        {draft.repeat === "once" && (
          <Select
            label="Period"
            value={draft.period}
            onChange={(period) => set({ period: period as Draft["period"] })}
            options={[
              ...["7", "30", "90"].map((days) => ({ value: days, label: `The last ${days} days` })),
              { value: "own", label: "From a day to a day" },
            ]}
          />
        )}
      </div>
      {draft.repeat === "once" && draft.period === "own" && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="From (UTC)"
            type="date"
            max={today()}
            value={draft.from}
            onChange={(event) => set({ from: event.target.value })}
          />
          <Field
            label="To, that day included"
            type="date"
            max={today()}
            value={draft.to}
            onChange={(event) => set({ to: event.target.value })}
          />
        </div>
      )}
    </>
  );
}

function GroupChoice({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const { data, isPending, error } = useGroups();
  if (isPending) return <p className="text-sm text-muted">Loading your groups</p>;
  if (error)
    return <p className="text-sm text-removed">We couldn’t load your groups. Close this and try again.</p>;
  if (data.length === 0)
    return <p className="text-sm text-muted">You have no groups yet. Create a job first.</p>;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Groups</legend>
      <div className="max-h-44 divide-y divide-line overflow-y-auto rounded-control border border-line">
        {data.map(({ id, name, jobs }) => (
          <label key={id} className="flex items-center gap-3 px-3 py-2">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
              }
              className="size-4 shrink-0 accent-accent-text"
            />
            <span className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            <span className="figures text-sm text-muted">{countOf(jobs, "job")}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
