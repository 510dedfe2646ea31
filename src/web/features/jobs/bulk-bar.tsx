import { useState } from "react";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import type { Group, Job } from "./queries.ts";
import { type BulkAction, useBulk } from "./use-bulk.ts";
import type { Deletion } from "./use-deletions.ts";

const actions = [
  { value: "run", label: "Check now" },
  { value: "pause", label: "Pause" },
  { value: "activate", label: "Activate" },
  { value: "frequency", label: "Change the frequency" },
  { value: "ignore", label: "Ignore something more" },
  { value: "move", label: "Move to another group" },
  { value: "delete", label: "Delete" },
] as const;
type Kind = (typeof actions)[number]["value"];

type BulkBarProps = {
  jobs: Job[];
  chosen: Job[];
  groups: Group[];
  groupId: string;
  onChoose: (ids: string[]) => void;
  onDelete: (deletion: Deletion) => void;
  onDone: () => void;
};

/** What to do with the jobs that are chosen. */
export function BulkBar({ jobs, chosen, groups, groupId, onChoose, onDelete, onDone }: BulkBarProps) {
  const [kind, setKind] = useState<Kind>("run");
  const [text, setText] = useState("");
  const [target, setTarget] = useState("");
  const [problem, setProblem] = useState<string>();
  const { apply, isBusy } = useBulk();
  const others = groups.filter(({ id }) => id !== groupId);
  const isAll = chosen.length === jobs.length;

  function start() {
    const wrong = check();
    setProblem(wrong);
    if (wrong) return;
    if (kind === "delete") {
      onDelete(deletionOf(chosen, groupId));
      return onDone();
    }
    void apply(actionOf(), chosen).then(onDone);
  }
  function check(): string | undefined {
    if (kind === "frequency" && !(Number.isInteger(Number(text)) && Number(text) >= 1))
      return "Whole minutes, from 1.";
    if (kind === "ignore" && text.trim() === "") return "What is to be ignored?";
    return kind === "move" && target === "" ? "Choose a group." : undefined;
  }
  function actionOf(): BulkAction {
    if (kind === "frequency") return { kind, minutes: Number(text) };
    if (kind === "ignore") return { kind, entry: text.trim() };
    if (kind === "move") return { kind, groupId: target };
    return { kind: kind as "run" | "pause" | "activate" };
  }
  return (
    <div role="group" aria-label="The chosen jobs" className="grid grid-cols-1 gap-2">
      <div className="flex items-center gap-2 text-sm">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = chosen.length > 0 && !isAll;
            }}
            onChange={() => onChoose(isAll ? [] : jobs.map(({ id }) => id))}
            className="size-4 accent-accent-text"
          />
          {chosen.length} of {jobs.length} chosen
        </label>
        <Button look="ghost" size="sm" className="ms-auto" onClick={onDone}>
          Done
        </Button>
      </div>
      <Select
        label="What to do"
        hideLabel
        value={kind}
        onChange={(value) => {
          setKind(value as Kind);
          setText("");
          setProblem(undefined);
        }}
        options={actions.filter(({ value }) => value !== "move" || others.length > 0)}
      />
      {kind === "frequency" && (
        <Field
          label="Minutes"
          type="number"
          min={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={problem}
        />
      )}
      {kind === "ignore" && (
        <Field
          label="Ignore"
          mono
          placeholder=".visitor-count"
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={problem}
          spellCheck={false}
        />
      )}
      {kind === "move" && (
        <Select
          label="Group"
          value={target}
          placeholder="Choose a group"
          onChange={setTarget}
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
          error={problem}
        />
      )}
      <Button
        size="sm"
        look={kind === "delete" ? "danger" : "primary"}
        disabled={chosen.length === 0}
        busy={isBusy}
        onClick={start}
      >
        {actions.find(({ value }) => value === kind)?.label}: {countOf(chosen.length, "job")}
      </Button>
    </div>
  );
}

function deletionOf(jobs: Job[], groupId: string): Deletion {
  return {
    ids: jobs.map(({ id }) => id),
    groupId,
    say: `${countOf(jobs.length, "job")} deleted.`,
    run: async () => {
      for (const { id } of jobs)
        await call("DELETE /api/jobs/:jobId", { params: { jobId: id } }, { keepalive: true });
    },
  };
}
