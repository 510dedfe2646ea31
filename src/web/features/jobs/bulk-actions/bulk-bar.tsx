import { useState } from "react";
import type { BulkAction } from "#contract/bulk-action.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import type { Group, Job } from "../queries.ts";
import { useBulk } from "./use-bulk.ts";

const actions = [
  { value: "run", label: "Check now" },
  { value: "pause", label: "Pause" },
  { value: "activate", label: "Activate" },
  { value: "frequency", label: "Change the frequency" },
  { value: "ignore", label: "Add an ignore rule" },
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
  onDone: () => void;
};

/** The actions for the selected jobs. */
export function BulkBar({ jobs, chosen, groups, groupId, onChoose, onDone }: BulkBarProps) {
  const [kind, setKind] = useState<Kind>("run");
  const [text, setText] = useState("");
  const [target, setTarget] = useState("");
  const [problem, setProblem] = useState<string>();
  const bulk = useBulk();
  const others = groups.filter(({ id }) => id !== groupId);
  const isAll = chosen.length === jobs.length;

  function start() {
    const wrong = check();
    setProblem(wrong);
    if (wrong) return;
    bulk.mutate(buildAction(), { onSuccess: onDone });
  }
  function check(): string | undefined {
    if (kind === "frequency" && !(Number.isInteger(Number(text)) && Number(text) >= 1))
      return "Enter whole minutes, 1 or more.";
    if (kind === "ignore" && text.trim() === "") return "Enter what to ignore.";
    return kind === "move" && target === "" ? "Choose a group." : undefined;
  }
  function buildAction(): BulkAction {
    const jobIds = chosen.map(({ id }) => id);
    if (kind === "frequency") return { jobIds, action: kind, minutes: Number(text) };
    if (kind === "ignore") return { jobIds, action: kind, entry: text.trim() };
    if (kind === "move") return { jobIds, action: kind, groupId: target };
    return { jobIds, action: kind };
  }
  return (
    <div role="group" aria-label="Selected jobs" className="grid grid-cols-1 gap-2">
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
          {chosen.length} of {jobs.length} selected
        </label>
        <Button look="ghost" size="sm" className="ms-auto" onClick={onDone}>
          Done
        </Button>
      </div>
      <Select
        label="Action"
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
        busy={bulk.isPending}
        onClick={start}
      >
        {actions.find(({ value }) => value === kind)?.label}: {countOf(chosen.length, "job")}
      </Button>
    </div>
  );
}
