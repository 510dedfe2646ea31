import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import type { Deletion } from "../delete-and-undo/use-deletions.ts";
import { CallProblem } from "../job-form/call-problem.tsx";
import { useDraft } from "../job-form/use-draft.ts";
import { type GroupWithJobs, keys } from "../queries.ts";

export function NewGroup({ onClose, onMade }: { onClose: () => void; onMade: (groupId: string) => void }) {
  const { draft, setDraft, forget } = useDraft("new-group", () => "");
  return (
    <GroupName
      title="New Group"
      action="Create Group"
      name={draft}
      onChange={setDraft}
      onClose={onClose}
      save={() => call("POST /api/jobs/groups", { body: { name: draft } })}
      onSaved={(id) => {
        forget();
        onMade(id);
      }}
    />
  );
}

type EditGroupProps = { group: { id: string; name: string }; onClose: () => void };

export function EditGroup({ group, onClose }: EditGroupProps) {
  const { draft, setDraft, forget } = useDraft(`group-${group.id}`, () => group.name);
  return (
    <GroupName
      title="Edit This group"
      action="Rename group"
      name={draft}
      onChange={setDraft}
      onClose={onClose}
      save={() =>
        call("PATCH /api/jobs/groups/:groupId", { params: { groupId: group.id }, body: { name: draft } })
      }
      onSaved={() => {
        forget();
        onClose();
      }}
    />
  );
}

type GroupNameProps = {
  title: string;
  action: string;
  name: string;
  onChange: (name: string) => void;
  onClose: () => void;
  save: () => Promise<{ message: string; id: string }>;
  onSaved: (id: string) => void;
};

function GroupName({ title, action, name, onChange, onClose, save, onSaved }: GroupNameProps) {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [isNameless, setNameless] = useState(false);
  const saving = useMutation({
    mutationFn: save,
    onSuccess: async ({ message, id }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.groups }),
        client.invalidateQueries({ queryKey: keys.group(id) }),
      ]);
      toast.success(message);
      onSaved(id);
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form="group-name" busy={saving.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id="group-name"
        noValidate
        className="mt-3"
        onSubmit={(event) => {
          event.preventDefault();
          setNameless(name.trim() === "");
          if (name.trim() === "") form.current?.querySelector("input")?.focus();
          else if (!saving.isPending) saving.mutate();
        }}
      >
        <Field
          label="Group name"
          value={name}
          error={isNameless && name.trim() === "" ? "Give the group a name." : undefined}
          maxLength={200}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="off"
        />
        <CallProblem error={saving.error} otherwise="The group could not be saved. What you typed is kept." />
      </form>
    </Dialog>
  );
}

type DeleteGroupProps = {
  group: GroupWithJobs;
  onClose: () => void;
  onDelete: (deletion: Deletion) => void;
};

/** Lists the jobs that are deleted with the group, and shows their number on the button. */
export function DeleteGroup({ group, onClose, onDelete }: DeleteGroupProps) {
  const jobs = group.Job;
  const count = jobs.length === 1 ? "1 job" : `${jobs.length} jobs`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete “${group.name}”?`}
      description={
        jobs.length === 0
          ? "This group has no jobs."
          : "This also deletes these jobs, with all their executions, captures and shared links:"
      }
      footer={
        <>
          <Button onClick={onClose}>Keep group</Button>
          <Button
            look="danger"
            onClick={() => {
              onClose();
              onDelete({
                ids: [group.id],
                groupId: group.id,
                say: `“${group.name}” is deleted.`,
                run: () =>
                  call(
                    "DELETE /api/jobs/groups/:groupId",
                    { params: { groupId: group.id } },
                    { keepalive: true },
                  ),
              });
            }}
          >
            {jobs.length === 0 ? "Delete group" : `Delete ${count}`}
          </Button>
        </>
      }
    >
      {jobs.length > 0 && (
        <ScrollArea label="Jobs" className="mt-3 max-h-60 overflow-y-auto rounded-control border border-line">
          <ul>
            {jobs.map((job) => (
              <li
                key={job.id}
                className="flex justify-between gap-4 border-b border-line px-3 py-1.5 last:border-0"
              >
                <span className="truncate" title={job.name}>
                  {job.name}
                </span>
                <span className="figures shrink-0 text-sm text-muted">
                  {job.executionsTotal.toLocaleString()}{" "}
                  {job.executionsTotal === 1 ? "execution" : "executions"}
                </span>
              </li>
            ))}
          </ul>
        </ScrollArea>
      )}
    </Dialog>
  );
}
