import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { type Plan, planById } from "#plans/plans.ts";
import { CallError, call } from "#web/api/call.ts";
import { useMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { NamedValueList } from "#web/ui/named-value-list.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { BrowserFields, browserNote } from "../job-form/browser-fields.tsx";
import { CallProblem } from "../job-form/call-problem.tsx";
import { ChannelChoice, channelsNote } from "../job-form/channel-choice.tsx";
import { Conditions } from "../job-form/conditions/conditions.tsx";
import { Failures, failuresNote } from "../job-form/failures.tsx";
import {
  checkGroupFields,
  fieldAt,
  fieldsOfGroup,
  type JobFields,
  type Problems,
  rowAt,
  toGroupInput,
} from "../job-form/fields.ts";
import { FormSection } from "../job-form/form-section.tsx";
import { IdentityChoice, identityNote } from "../job-form/identity-choice.tsx";
import { PageStepsSection, pageStepsNote } from "../job-form/page-steps/page-steps-section.tsx";
import { ProxyChoice, proxiesNote } from "../job-form/proxy-choice.tsx";
import { Schedule, scheduleNote } from "../job-form/schedule/schedule.tsx";
import { SecondOpinionFields, secondOpinionNote } from "../job-form/second-opinion/second-opinion-fields.tsx";
import { MessageSection, messageNote } from "../job-form/sections/message-section.tsx";
import { CompareAsChoice } from "../job-form/steps/compare-as-choice.tsx";
import { StepList } from "../job-form/steps/step-list.tsx";
import { type GroupWithJobs, keys } from "../queries.ts";

type GroupSettingsProps = { group: GroupWithJobs; onClose: () => void };

/** Edits the group defaults that the group's jobs inherit. */
export function GroupSettings({ group, onClose }: GroupSettingsProps) {
  const { data: me } = useMe();
  return me && <Form group={group} onClose={onClose} planId={me.planId} />;
}

function Form({ group, onClose, planId }: GroupSettingsProps & { planId: string }) {
  const plan = planById(planId);
  const [fields, setFields] = useState<JobFields>(() => fieldsOfGroup(group.id, group.settings, plan));
  const [isChecked, setChecked] = useState(false);
  const names = valueNamesOf(group, fields);
  const found = checkGroupFields(fields, names);
  const saving = useSaveSettings(group, fields, onClose);
  const put = (part: Partial<JobFields>) => {
    setFields({ ...fields, ...part });
    if (saving.error) saving.reset();
  };
  const { error } = saving;
  const name = error instanceof CallError && error.field ? fieldAt(error.field) : undefined;
  const row = error instanceof CallError && error.field ? rowAt(error.field) : undefined;
  const refused =
    name && error ? { [name]: error.message, ...(row === undefined ? {} : { rows: { [name]: row } }) } : {};
  const problems = { ...refused, ...(isChecked ? found : {}) };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Group defaults"
      description={`Jobs in ${group.name} use these settings unless they override them.`}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form="group-settings" busy={saving.isPending}>
            Apply to {countOf(group.Job.length, "job")}
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
        <GroupRules fields={fields} problems={problems} put={put} />
        <FormSection
          title="Alert only if"
          note={
            fields.conditions.length === 0 ? "every change" : countOf(fields.conditions.length, "condition")
          }
          start={fields.conditions.length > 0}
          forced={problems.conditions !== undefined}
        >
          <Conditions fields={fields} problems={problems} put={put} names={names} />
          <p className="text-sm text-muted">
            A condition on a number only applies to jobs that follow a value with that name.
          </p>
        </FormSection>
        <FormSection
          title="When to check"
          note={scheduleNote(fields)}
          start={fields.scheduleKind === "week" || fields.scheduleKind === "cron"}
          forced={[problems.scheduleZone, problems.scheduleWeek, problems.scheduleCron].some(Boolean)}
        >
          <Schedule fields={fields} problems={problems} plan={plan} put={put} isGroup />
        </FormSection>
        <FormSection
          title="Failures"
          note={failuresNote(fields)}
          start={fields.failDown !== "" || fields.failGone !== ""}
        >
          <Failures fields={fields} problems={problems} put={put} />
        </FormSection>
        <FormSection title="Alerts go to" note={channelsNote(fields)} start={fields.channels.length > 0}>
          <ChannelChoice fields={fields} plan={plan} put={put} />
        </FormSection>
        <FormSection
          title="Message"
          note={messageNote(fields)}
          start={Boolean(fields.messageTitle || fields.messageText)}
          forced={[problems.messageTitle, problems.messageText].some(Boolean)}
        >
          <MessageSection fields={fields} problems={problems} put={put} />
        </FormSection>
        <FormSection
          title="Browser"
          note={browserNote(fields)}
          start={Object.keys(fields.browser).length > 0}
          forced={[problems.browserLanguage, problems.browserTimeZone].some(Boolean)}
        >
          <BrowserFields fields={fields} problems={problems} put={put} />
        </FormSection>
        <IdentityDefaults fields={fields} problems={problems} put={put} plan={plan} />
        <PageStepsDefaults fields={fields} problems={problems} put={put} />
        <FormSection title="Proxy" note={proxiesNote(fields)} start={fields.proxies.length > 0}>
          <ProxyChoice fields={fields} problems={problems} put={put} />
        </FormSection>
        <OpinionDefaults fields={fields} problems={problems} put={put} />
        <FormSection
          title="Request headers"
          note={countOf(fields.headers.length, "header")}
          start={fields.headers.length > 0}
          forced={problems.headers !== undefined}
        >
          <NamedValueList
            label="Sent with every job’s"
            noun="header"
            addLabel="Add Header"
            values={fields.headers}
            onChange={(headers) => put({ headers })}
            error={problems.headers}
          />
        </FormSection>
        {!name && (
          <CallProblem error={error} otherwise="The settings could not be saved. Nothing was changed." />
        )}
      </form>
    </Dialog>
  );
}

type GroupRulesProps = { fields: JobFields; problems: Problems; put: (part: Partial<JobFields>) => void };

function OpinionDefaults({ fields, problems, put }: GroupRulesProps) {
  return (
    <FormSection
      title="Second opinion"
      note={secondOpinionNote(fields)}
      start={fields.opinionUse !== "" || fields.opinionMatters !== ""}
      forced={problems.opinionMatters !== undefined}
    >
      <SecondOpinionFields fields={fields} problems={problems} put={put} />
    </FormSection>
  );
}

function IdentityDefaults({ fields, problems, put, plan }: GroupRulesProps & { plan: Plan }) {
  return (
    <FormSection
      title="Sign-in"
      note={identityNote(fields)}
      start={fields.identity !== "" || fields.sharesSignedIn !== ""}
      forced={problems.identity !== undefined}
    >
      <IdentityChoice fields={fields} problems={problems} put={put} plan={plan} />
    </FormSection>
  );
}

function PageStepsDefaults({ fields, problems, put }: GroupRulesProps) {
  return (
    <FormSection
      title="Steps before the capture"
      note={pageStepsNote(fields)}
      start={fields.pageSteps.length > 0}
      forced={[problems.pageSteps, problems.stepSecrets].some(Boolean)}
    >
      <PageStepsSection fields={fields} problems={problems} put={put} isGroup />
    </FormSection>
  );
}

function GroupRules({ fields, problems, put }: GroupRulesProps) {
  return (
    <>
      <TextArea
        label="Also ignore"
        mono
        rows={2}
        placeholder={".visitor-count\n/Updated .* ago/"}
        hint="CSS selectors, text that a line contains, or /patterns/. One per line."
        value={fields.ignore}
        onChange={(event) => put({ ignore: event.target.value })}
        error={problems.ignore}
        spellCheck={false}
      />
      <TextArea
        label="Compare only, unless the job sets its own part"
        mono
        rows={1}
        placeholder="main, #scope"
        value={fields.selector}
        onChange={(event) => put({ selector: event.target.value })}
        error={problems.selector}
        spellCheck={false}
      />
      <StepList steps={fields.steps} onChange={(steps) => put({ steps })} problem={problems.steps} />
      <CompareAsChoice fields={fields} put={put} />
    </>
  );
}

/** Names of the values that the group's jobs follow, and of those that its conditions use already. */
function valueNamesOf({ Job }: GroupWithJobs, { conditions }: JobFields): string[] {
  const followed = Job.flatMap(({ values }) => values.map(({ name }) => name));
  const named = conditions.filter(({ sort }) => sort.startsWith("number"));
  return [...new Set([...followed, ...named.map(({ name }) => name)])].filter(Boolean);
}

function useSaveSettings(group: GroupWithJobs, fields: JobFields, onSaved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call("PUT /api/jobs/groups/:groupId/settings", {
        params: { groupId: group.id },
        body: toGroupInput(fields),
      }),
    onSuccess: async ({ message }) => {
      await client.invalidateQueries({ queryKey: keys.group(group.id) });
      await client.invalidateQueries({ queryKey: ["job"] });
      toast.success(message);
      onSaved();
    },
  });
}
