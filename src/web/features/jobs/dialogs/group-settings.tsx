import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { planById } from "#contract/plans.ts";
import { ApiError, call } from "#web/api/call.ts";
import { useMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { type GroupWithJobs, keys } from "../queries.ts";
import { CallProblem } from "./call-problem.tsx";
import { ChannelChoice, channelsNote } from "./channel-choice.tsx";
import { Conditions } from "./conditions.tsx";
import { Failures, failuresNote } from "./failures.tsx";
import { checkGroupFields, fieldAt, fieldsOfGroup, groupInputOf, type JobFields, rowAt } from "./fields.ts";
import { Fold } from "./fold.tsx";
import { HeaderList } from "./header-list.tsx";
import { Schedule, scheduleNote } from "./schedule.tsx";

type GroupSettingsProps = { group: GroupWithJobs; onClose: () => void };

/** What a group hands down to its jobs. */
export function GroupSettings({ group, onClose }: GroupSettingsProps) {
  const { data: me } = useMe();
  return me && <Form group={group} onClose={onClose} planId={me.planId} />;
}

function Form({ group, onClose, planId }: GroupSettingsProps & { planId: string }) {
  const client = useQueryClient();
  const plan = planById(planId);
  const [fields, setFields] = useState<JobFields>(() => fieldsOfGroup(group.id, group.settings, plan));
  const [isChecked, setChecked] = useState(false);
  const found = checkGroupFields(fields);
  const saving = useMutation({
    mutationFn: () =>
      call("PUT /api/jobs/groups/:groupId/settings", {
        params: { groupId: group.id },
        body: groupInputOf(fields),
      }),
    onSuccess: async ({ message }) => {
      await client.invalidateQueries({ queryKey: keys.group(group.id) });
      await client.invalidateQueries({ queryKey: ["job"] });
      toast.success(message);
      onClose();
    },
  });
  const put = (part: Partial<JobFields>) => {
    setFields({ ...fields, ...part });
    if (saving.error) saving.reset();
  };
  const { error } = saving;
  const name = error instanceof ApiError && error.field ? fieldAt(error.field) : undefined;
  const row = error instanceof ApiError && error.field ? rowAt(error.field) : undefined;
  const refused =
    name && error ? { [name]: error.message, ...(row === undefined ? {} : { rows: { [name]: row } }) } : {};
  const problems = { ...refused, ...(isChecked ? found : {}) };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Handed down"
      description={`What ${group.name} hands down to its jobs, as far as they do not say otherwise.`}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form="group-settings" busy={saving.isPending}>
            Hand down to {countOf(group.Job.length, "job")}
          </Button>
        </>
      }
    >
      <form
        id="group-settings"
        noValidate
        className="mt-3 grid grid-cols-1 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate();
        }}
      >
        <TextArea
          label="Ignore, besides what a job ignores"
          mono
          rows={2}
          placeholder={".visitor-count\n/Updated .* ago/"}
          hint="CSS selectors, text that a line holds, or /patterns/, one a line."
          value={fields.ignore}
          onChange={(event) => put({ ignore: event.target.value })}
          error={problems.ignore}
          spellCheck={false}
        />
        <TextArea
          label="Compare only, where a job says nothing"
          mono
          rows={1}
          placeholder="main, #scope"
          value={fields.selector}
          onChange={(event) => put({ selector: event.target.value })}
          error={problems.selector}
          spellCheck={false}
        />
        <Fold
          title="Alert only if"
          note={
            fields.conditions.length === 0 ? "every change" : countOf(fields.conditions.length, "condition")
          }
          start={fields.conditions.length > 0}
          forced={problems.conditions !== undefined}
        >
          <Conditions fields={fields} problems={problems} put={put} />
        </Fold>
        <Fold
          title="When to check"
          note={scheduleNote(fields)}
          start={fields.scheduleKind === "week" || fields.scheduleKind === "cron"}
          forced={[problems.scheduleZone, problems.scheduleWeek, problems.scheduleCron].some(Boolean)}
        >
          <Schedule fields={fields} problems={problems} plan={plan} put={put} isGroup />
        </Fold>
        <Fold
          title="Failures"
          note={failuresNote(fields)}
          start={fields.failDown !== "" || fields.failGone !== ""}
        >
          <Failures fields={fields} problems={problems} put={put} />
        </Fold>
        <Fold title="Alerts go to" note={channelsNote(fields)} start={fields.channels.length > 0}>
          <ChannelChoice fields={fields} plan={plan} put={put} />
        </Fold>
        <Fold
          title="Request headers"
          note={countOf(fields.headers.length, "header")}
          start={fields.headers.length > 0}
          forced={problems.headers !== undefined}
        >
          <HeaderList
            label="Sent with every job's"
            headers={fields.headers}
            onChange={(headers) => put({ headers })}
            error={problems.headers}
          />
        </Fold>
        {!name && (
          <CallProblem error={error} otherwise="The settings could not be saved. Nothing was changed." />
        )}
      </form>
    </Dialog>
  );
}
