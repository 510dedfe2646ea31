import { useId } from "react";
import type { GroupSettings } from "#contract/job.ts";
import { type Plan, plans } from "#contract/plans.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import type { Group } from "../queries.ts";
import { CoverageList } from "../rules/coverage-list.tsx";
import { PreviewField } from "../rules/preview-field.tsx";
import type { Source } from "../rules/source.ts";
import { useCoverage } from "../rules/use-coverage.ts";
import { usePicked } from "../rules/use-picked.ts";
import { usePreview } from "../rules/use-preview.ts";
import { ChannelChoice, channelsNote } from "./channel-choice.tsx";
import { Conditions } from "./conditions.tsx";
import { Failures, failuresNote } from "./failures.tsx";
import { type JobFields, linesOf, type Problems } from "./fields.ts";
import { Fold } from "./fold.tsx";
import { FollowedValues } from "./followed-values.tsx";
import { HeaderList } from "./header-list.tsx";
import { PlanNote } from "./plan-note.tsx";
import { RequestFields, requestNote } from "./request-fields.tsx";
import { Schedule, scheduleNote } from "./schedule.tsx";
import { TriggerFields } from "./trigger-fields.tsx";

type JobFormProps = {
  fields: JobFields;
  onChange: (fields: JobFields) => void;
  problems: Problems;
  groups: Group[];
  plan: Plan;
  jobId?: string;
  /** What the job's group hands down. */
  inherited?: GroupSettings | null;
  /** 'Pick on the page': of a preview where one is named, else of the job; absent where there is no picture. */
  onPick?: (previewId?: string) => void;
  /** 'Try on history', once there is one. */
  onTry?: () => void;
};

const advanced: (keyof JobFields)[] = [
  "headers",
  "selector",
  "waitSelector",
  "waitSeconds",
  "ignore",
  "triggerUrl",
  "triggerBody",
  "triggerStrings",
  "triggerHeaders",
  "lookupStrings",
];

/** Every field of a job: the common ones first, the rest folded. */
export function JobForm(props: JobFormProps) {
  const { fields, onChange, problems, groups, plan, jobId, inherited = null, onPick, onTry } = props;
  const sliderId = useId();
  const put = (part: Partial<JobFields>) => onChange({ ...fields, ...part });
  const hasHidden = advanced.some((name) => problems[name]);
  const faster = plans.find(({ minimumMinutes }) => minimumMinutes < plan.minimumMinutes);
  return (
    <div className="mt-3 grid grid-cols-1 gap-4">
      <Field
        label="Name"
        value={fields.name}
        onChange={(event) => put({ name: event.target.value })}
        error={problems.name}
        autoComplete="off"
        maxLength={200}
      />
      <Field
        label="URL"
        mono
        inputMode="url"
        placeholder="https://example.com/security.txt"
        value={fields.url}
        onChange={(event) => put({ url: event.target.value })}
        error={problems.url}
        autoComplete="off"
        spellCheck={false}
      />
      {!jobId && onPick && <PreviewField fields={fields} onPick={onPick} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="Group"
          value={fields.groupId}
          onChange={(groupId) => put({ groupId })}
          placeholder="Choose a group"
          options={groups.map(({ id, name }) => ({ value: id, label: name }))}
          error={problems.groupId}
        />
        <Field
          label="Frequency in minutes"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          value={fields.frequency}
          onChange={(event) => put({ frequency: event.target.value })}
          error={problems.frequency}
          hint={
            faster ? (
              <>
                {plan.name}: {plan.minimumMinutes} or more. {faster.name}: from {faster.minimumMinutes}.
              </>
            ) : (
              `From ${plan.minimumMinutes}.`
            )
          }
        />
      </div>
      <div className="grid gap-1.5">
        <div className="flex items-baseline justify-between">
          <label htmlFor={sliderId} className="text-sm font-medium">
            Similarity level
          </label>
          <span className="figures text-sm text-muted">80 %</span>
        </div>
        <input
          id={sliderId}
          type="range"
          min={0}
          max={100}
          value={80}
          disabled
          className="w-full opacity-60"
        />
        <p className="text-sm text-muted">
          Fixed: screenshots less than 80 % alike are a visual change. Text, HTML, status, headers and scripts
          are compared exactly, once noise is removed.
        </p>
      </div>
      <Fold
        title="Alert only if"
        note={conditionsNote(fields, inherited)}
        start={fields.conditions.length > 0}
        forced={problems.conditions !== undefined}
      >
        <Conditions fields={fields} problems={problems} put={put} inherited={inherited?.alertIf ?? null} />
      </Fold>
      <Fold
        title="Numbers"
        note={fields.values.map(({ name }) => name).join(", ") || "none followed"}
        start={fields.values.length > 0}
        forced={problems.values !== undefined}
      >
        <FollowedValues fields={fields} problems={problems} put={put} />
      </Fold>
      <Fold
        title="When to check"
        note={scheduleNote(fields, inherited?.schedule)}
        start={fields.scheduleKind === "week" || fields.scheduleKind === "cron"}
        forced={[problems.scheduleZone, problems.scheduleWeek, problems.scheduleCron].some(Boolean)}
      >
        <Schedule fields={fields} problems={problems} plan={plan} put={put} inherited={inherited?.schedule} />
      </Fold>
      <Fold
        title="Failures"
        note={failuresNote(fields, inherited?.tellFailures ?? null)}
        start={fields.failDown !== "" || fields.failGone !== ""}
        forced={problems.failDown !== undefined || problems.failGone !== undefined}
      >
        <Failures fields={fields} problems={problems} put={put} inherited={inherited?.tellFailures} />
      </Fold>
      <Fold
        title="Alerts go to"
        note={
          fields.channels.length === 0 && inherited?.channels
            ? `as the group: ${channelsNote({ channels: inherited.channels })}`
            : channelsNote(fields)
        }
        start={fields.channels.length > 0}
        forced={problems.channels !== undefined}
      >
        <ChannelChoice fields={fields} plan={plan} put={put} inherited={inherited?.channels} />
      </Fold>
      <Fold
        title="Request"
        note={requestNote(fields)}
        start={fields.requestMethod !== "GET" || fields.userAgent !== "" || fields.language !== ""}
        forced={[
          problems.requestMethod,
          problems.requestAs,
          problems.requestBody,
          problems.userAgent,
          problems.language,
        ].some(Boolean)}
      >
        <RequestFields fields={fields} problems={problems} put={put} />
      </Fold>
      <Fold
        title="Advanced"
        note="trigger, headers, selector, text lookup"
        start={
          fields.triggerUrl !== "" ||
          fields.headers.length > 0 ||
          fields.selector !== "" ||
          fields.ignore !== ""
        }
        forced={hasHidden}
      >
        <TriggerFields fields={fields} problems={problems} plan={plan} jobId={jobId} put={put} />
        <HeaderList
          label="Request headers"
          headers={fields.headers}
          onChange={(headers) => put({ headers })}
          error={problems.headers}
        />
        {inherited && inherited.headers.length > 0 && (
          <p className="text-sm text-muted">
            From the group also: {inherited.headers.map(({ name }) => name).join(", ")}. Those above win.
          </p>
        )}
        <RuleFields {...{ fields, problems, put, jobId, onPick, inherited }} />
        <Lookup fields={fields} problems={problems} plan={plan} put={put} />
      </Fold>
      {onTry && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button icon="clock" onClick={onTry}>
            Try on history
          </Button>
          <span className="min-w-0 flex-1 basis-60 text-sm text-muted">
            What these rules, numbers and conditions would have told of the checks so far. Nothing is saved by
            it.
          </span>
        </div>
      )}
    </div>
  );
}

function conditionsNote({ conditions, alertAll }: JobFields, inherited: GroupSettings | null): string {
  if (conditions.length > 0) return countOf(conditions.length, "condition");
  const own = inherited?.alertIf?.conditions.length ?? 0;
  return own > 0 && !alertAll ? `as the group: ${countOf(own, "condition")}` : "every change";
}

type RuleFieldsProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  jobId: string | undefined;
  onPick: ((previewId?: string) => void) | undefined;
  inherited: GroupSettings | null;
};

/** What counts and what never does, each rule with how much of the newest capture it covers. */
function RuleFields({ fields, problems, put, jobId, onPick, inherited }: RuleFieldsProps) {
  const { ready } = usePreview(fields);
  const source: Source | undefined = jobId ? { jobId } : ready && { previewId: ready.id };
  const ignored = linesOf(fields.ignore);
  const coverage = useCoverage(source, fields.selector, ignored);
  const rules = usePicked();
  return (
    <div ref={rules} className="grid gap-6">
      {jobId && onPick && (
        <Button size="sm" icon="pick" className="justify-self-start" onClick={() => onPick()}>
          Pick on the page
        </Button>
      )}
      <div className="grid gap-1.5">
        <TextArea
          label="Compare only"
          name="selector"
          mono
          rows={1}
          placeholder="main, #scope"
          hint={`CSS selectors, xpath:… or, for JSON, jsonpath:…, one a line. Empty: ${
            inherited?.selector ? `as the group, ${inherited.selector}` : "the whole page"
          }.`}
          value={fields.selector}
          onChange={(event) => put({ selector: event.target.value })}
          error={problems.selector}
          spellCheck={false}
        />
        <CoverageList
          label="What it chooses"
          entries={linesOf(fields.selector)}
          coverage={coverage?.selector}
        />
      </div>
      <Waiting fields={fields} problems={problems} put={put} />
      <div className="grid gap-1.5">
        <TextArea
          label="Ignore"
          name="ignore"
          mono
          rows={2}
          placeholder={".visitor-count\n/Updated .* ago/"}
          hint={
            <>
              CSS selectors, text that a line holds, or /patterns/ on what a reader sees, one a line.
              {inherited && inherited.ignore.length > 0 && (
                <> From the group also: {inherited.ignore.join(", ")}.</>
              )}
            </>
          }
          value={fields.ignore}
          onChange={(event) => put({ ignore: event.target.value })}
          error={problems.ignore}
          spellCheck={false}
        />
        <CoverageList label="What is ignored" entries={ignored} coverage={coverage?.ignore} />
      </div>
    </div>
  );
}

type WaitingProps = { fields: JobFields; problems: Problems; put: (part: Partial<JobFields>) => void };

function Waiting({ fields, problems, put }: WaitingProps) {
  const hasSelector = fields.selector.trim() !== "";
  return (
    <div className="grid gap-3">
      <label className={cx("flex items-start gap-2 text-sm", !hasSelector && "text-muted")}>
        <input
          type="checkbox"
          checked={fields.awaited && hasSelector}
          disabled={!hasSelector}
          onChange={(event) => put({ awaited: event.target.checked })}
          className="mt-0.5 size-4 accent-accent-text"
        />
        <span>
          Tell me when it appears
          <span className="block text-muted">
            It need not be on the page yet: until then nothing is wrong.
          </span>
        </span>
      </label>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field
          label="Wait for an element"
          mono
          placeholder=".prices"
          hint="A CSS selector; at most 15 s."
          value={fields.waitSelector}
          onChange={(event) => put({ waitSelector: event.target.value })}
          error={problems.waitSelector}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label="Wait for seconds"
          type="number"
          inputMode="numeric"
          min={1}
          max={15}
          step={1}
          value={fields.waitSeconds}
          onChange={(event) => put({ waitSeconds: event.target.value })}
          error={problems.waitSeconds}
        />
      </div>
    </div>
  );
}

type LookupProps = {
  fields: JobFields;
  problems: Problems;
  plan: Plan;
  put: (part: Partial<JobFields>) => void;
};

function Lookup({ fields, problems, plan, put }: LookupProps) {
  const isLocked = !plan.textLookup;
  return (
    <div className="grid gap-3">
      <TextArea
        label="Text lookup"
        rows={2}
        placeholder={isLocked ? undefined : "in stock"}
        disabled={isLocked}
        hint={isLocked ? undefined : "Tell me when one of these texts comes or goes, one a line."}
        value={fields.lookupStrings}
        onChange={(event) => put({ lookupStrings: event.target.value })}
        error={problems.lookupStrings}
      />
      {isLocked ? (
        <PlanNote what="Text lookup" includes={(other) => other.textLookup} />
      ) : (
        <fieldset className="flex gap-4 text-sm">
          <legend className="sr-only">When</legend>
          {(["appears", "disappears"] as const).map((when) => (
            <label key={when} className="flex items-center gap-1.5">
              <input
                type="radio"
                name="lookup"
                checked={fields.lookupWhen === when}
                onChange={() => put({ lookupWhen: when })}
                className="size-4 accent-accent-text"
              />
              when one {when}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
