import { useHistory } from "#web/api/history.ts";
import { Select } from "#web/ui/select.tsx";
import { shortTime } from "#web/ui/time/relative-time.ts";
import type { Command } from "../keyboard-shortcuts/keys.ts";
import type { Detail } from "../queries.ts";
import { Toggle } from "../toolbar.tsx";

type PartnerProps = {
  detail: Detail;
  other: Detail | undefined;
  isOff: boolean;
  isPreviousShown: boolean;
  /** Shown if there is nothing to compare with. */
  placeholder: string;
  run: (command: Command) => void;
  onChoose: (executionId: string) => void;
};

const more = "more";

/** Selects what this execution is compared with: the previous, the next, none, or any other. */
export function Partner(props: PartnerProps) {
  const { detail, other, isOff, isPreviousShown, placeholder, run, onChoose } = props;
  const { data, hasNextPage, fetchNextPage } = useHistory(detail.jobId);
  const known = data?.pages.flatMap((page) => page.executions) ?? [];
  const options = known
    .filter(({ id, error }) => id !== detail.id && !error)
    .map(({ id, index, createdAt, changed }) => ({
      value: id,
      label: `#${index} ${shortTime(Date.parse(createdAt))}${changed ? " · changed" : ""}`,
    }));
  if (other && !options.some(({ value }) => value === other.id)) {
    options.push({ value: other.id, label: `#${other.index} ${shortTime(Date.parse(other.createdAt))}` });
  }
  if (hasNextPage) options.push({ value: more, label: "Earlier executions…" });
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2 max-sm:contents">
      <Toggle pressed={!isOff} onClick={() => run("compare")} label="Compare" />
      {!isOff && (
        <>
          <Toggle pressed={isPreviousShown} onClick={() => run("showPrevious")} label="Show previous" />
          <Select
            label="Compare with"
            hideLabel
            value={other?.id ?? ""}
            placeholder={placeholder}
            onChange={(value) => (value === more ? void fetchNextPage() : onChoose(value))}
            options={options}
            className="w-72 max-w-full max-sm:order-1 max-sm:w-full"
          />
        </>
      )}
    </span>
  );
}
