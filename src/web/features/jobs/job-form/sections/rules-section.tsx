import { useNoise } from "#web/api/noise.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { TextArea } from "#web/ui/text-area.tsx";
import { useFocusPickedRule } from "../../element-picker/use-focus-picked-rule.ts";
import { usePreview } from "../../preview/use-preview.ts";
import { CoverageList } from "../../rules/coverage-list.tsx";
import { RuleHelp } from "../../rules/rule-help.tsx";
import type { Source } from "../../rules/source.ts";
import { useCoverage } from "../../rules/use-coverage.ts";
import { linesOf } from "../fields.ts";
import { CompareAsChoice } from "../steps/compare-as-choice.tsx";
import { StepList } from "../steps/step-list.tsx";
import type { SectionProps } from "./section-props.ts";

/** The selector and ignore rules, each with how much of the newest capture it covers. */
export function RulesSection({ fields, problems, put, jobId, onPick, inherited }: SectionProps) {
  const { ready } = usePreview(fields);
  const source: Source | undefined = jobId ? { jobId } : ready && { previewId: ready.id };
  const ignored = linesOf(fields.ignore);
  const coverage = useCoverage(source, {
    selector: fields.selector,
    ignore: ignored,
    steps: fields.steps,
    compareAs: fields.compareAs || null,
  });
  const rules = useFocusPickedRule();
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
          hint={`CSS selectors, xpath:… or, for JSON, jsonpath:… or jq:…, one per line. If empty: ${
            inherited?.selector && !fields.leavesSelector
              ? `the group default, ${inherited.selector}`
              : "the whole page"
          }.`}
          value={fields.selector}
          onChange={(event) => put({ selector: event.target.value })}
          error={problems.selector}
          spellCheck={false}
        />
        <RuleHelp field="selector" />
        {inherited?.selector && fields.selector.trim() !== "" && !fields.leavesSelector && (
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={fields.joinsSelector}
              onChange={(event) => put({ joinsSelector: event.target.checked })}
              className="size-4 accent-accent-text"
            />
            Compare the group default as well: {inherited.selector}
          </label>
        )}
        {inherited?.selector && fields.selector.trim() === "" && (
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={fields.leavesSelector}
              onChange={(event) => put({ leavesSelector: event.target.checked })}
              className="size-4 accent-accent-text"
            />
            Compare the whole page instead of the group default
          </label>
        )}
        <CoverageList
          label="Selected content"
          entries={linesOf(fields.selector)}
          coverage={coverage?.selector}
        />
        <AwaitedBox fields={fields} put={put} />
      </div>
      <div className="grid gap-1.5">
        <TextArea
          label="Ignore"
          name="ignore"
          mono
          rows={2}
          placeholder={".visitor-count\n/Updated .* ago/"}
          hint="CSS selectors, text that a line contains, or /patterns/ matched against the visible text. One per line."
          value={fields.ignore}
          onChange={(event) => put({ ignore: event.target.value })}
          error={problems.ignore}
          spellCheck={false}
        />
        <RuleHelp field="ignore" />
        <IgnoreCoverage jobId={jobId} entries={ignored} coverage={coverage?.ignore} />
        <GroupIgnoreRules fields={fields} put={put} rules={inherited?.ignore ?? []} />
      </div>
      <StepList
        steps={fields.steps}
        onChange={(steps) => put({ steps })}
        problem={problems.steps}
        preview={coverage?.steps}
        inheritedSteps={inherited?.steps?.length ?? 0}
      />
      <CompareAsChoice fields={fields} put={put} inherited={inherited?.compareAs} />
    </div>
  );
}

type IgnoreCoverageProps = Pick<Parameters<typeof CoverageList>[0], "entries" | "coverage"> & {
  jobId: string | undefined;
};

/** What each ignore rule covers; a saved one may have matched nothing for a while. */
function IgnoreCoverage({ jobId, ...list }: IgnoreCoverageProps) {
  return jobId ? (
    <SavedIgnoreCoverage jobId={jobId} {...list} />
  ) : (
    <CoverageList label="Ignored content" {...list} />
  );
}

function SavedIgnoreCoverage({ jobId, ...list }: IgnoreCoverageProps & { jobId: string }) {
  return <CoverageList label="Ignored content" {...list} idle={useNoise(jobId).data?.idleRules} />;
}

/** Whether the watched part may be missing at first. */
function AwaitedBox({ fields, put }: Pick<SectionProps, "fields" | "put">) {
  const hasSelector = fields.selector.trim() !== "";
  return (
    <label className={cx("mt-1.5 flex items-start gap-2 text-sm", !hasSelector && "text-muted")}>
      <input
        type="checkbox"
        checked={fields.awaited && hasSelector}
        disabled={!hasSelector}
        onChange={(event) => put({ awaited: event.target.checked })}
        className="mt-0.5 size-4 accent-accent-text"
      />
      <span>
        Alert me when it appears
        <span className="block text-muted">It doesn’t have to be on the page yet.</span>
      </span>
    </label>
  );
}

type GroupIgnoreRulesProps = Pick<SectionProps, "fields" | "put"> & { rules: string[] };

/** The group's ignore rules, each of which the job can leave out. */
function GroupIgnoreRules({ fields: { leftIgnore }, put, rules }: GroupIgnoreRulesProps) {
  if (rules.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-1.5 text-sm">
      <legend className="mb-1.5 text-muted">Also ignored by group default</legend>
      {rules.map((rule) => (
        <label key={rule} className="flex min-w-0 items-center gap-2">
          <input
            type="checkbox"
            checked={!leftIgnore.includes(rule)}
            onChange={({ target: { checked } }) =>
              put({
                leftIgnore: checked ? leftIgnore.filter((left) => left !== rule) : [...leftIgnore, rule],
              })
            }
            className="size-4 shrink-0 accent-accent-text"
          />
          <code className="min-w-0 truncate font-mono text-xs" title={rule}>
            {rule}
          </code>
        </label>
      ))}
    </fieldset>
  );
}
