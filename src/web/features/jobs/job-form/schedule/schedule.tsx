import { useEffect, useState } from "react";
import type { Plan } from "#plans/plans.ts";
import { nextRuns, refuseTimetable, type Timetable } from "#scheduling/timetable.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { FieldError } from "#web/ui/field-error.tsx";
import { Select } from "#web/ui/select.tsx";
import { type JobFields, type Problems, timetableOf } from "../fields.ts";
import { WeekGrid } from "./week-grid.tsx";

const kinds = [
  ["group", "Group default"],
  ["always", "At any hour"],
  ["week", "Chosen hours of the week"],
  ["cron", "Cron line"],
] as const;

const officeHours = [9, 10, 11, 12, 13, 14, 15, 16, 17];
const everyDay = (hours: number[]) => Array.from({ length: 7 }, () => hours);
const presets: [label: string, week: number[][]][] = [
  ["Weekdays 9 to 18", [officeHours, officeHours, officeHours, officeHours, officeHours, [], []]],
  ["Every hour", everyDay(Array.from({ length: 24 }, (_, hour) => hour))],
  ["None", everyDay([])],
];

const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

type ScheduleProps = {
  fields: JobFields;
  problems: Problems;
  plan: Plan;
  put: (part: Partial<JobFields>) => void;
  /** The timetable that the job inherits from its group. */
  inherited?: Timetable | null;
  /** Set for group defaults: the jobs have frequencies of their own. */
  isGroup?: boolean;
};

/** Selects when checks run (at any hour, in hours of the week, or by a cron line) and previews the next ones. */
export function Schedule({ fields, problems, plan, put, inherited = null, isGroup = false }: ScheduleProps) {
  const { scheduleZone: zone } = fields;
  const kind = shownKind(fields);
  const timetable = kind === "group" ? inherited : timetableOf(fields);
  return (
    <div className="grid grid-cols-1 gap-4">
      <fieldset className="flex flex-wrap gap-x-4 gap-y-2 text-sm max-sm:grid">
        <legend className="sr-only">When to check</legend>
        {(fields.isScheduled ? kinds : kinds.slice(1)).map(([value, label]) => (
          <label key={value} className="flex items-center gap-1.5">
            <input
              type="radio"
              name="schedule"
              checked={kind === value}
              onChange={() => put({ scheduleKind: value })}
              className="size-4 shrink-0 accent-accent-text"
            />
            {label}
          </label>
        ))}
      </fieldset>
      {(kind === "week" || kind === "cron") && (
        <Select
          label="Time zone"
          value={zone}
          onChange={(next) => put({ scheduleZone: next })}
          options={(zones.includes(zone) ? zones : [zone, ...zones]).map((value) => ({
            value,
            label: value.replaceAll("_", " "),
          }))}
          error={problems.scheduleZone}
        />
      )}
      {kind === "week" && (
        <div className="grid gap-2">
          <div className="flex flex-wrap gap-2">
            {presets.map(([label, week]) => (
              <Button key={label} size="sm" onClick={() => put({ scheduleWeek: week })}>
                {label}
              </Button>
            ))}
          </div>
          <WeekGrid
            week={fields.scheduleWeek}
            onChange={(scheduleWeek) => put({ scheduleWeek })}
            isWrong={problems.scheduleWeek !== undefined}
          />
          <FieldError error={problems.scheduleWeek} />
        </div>
      )}
      {kind === "cron" && (
        <Field
          label="Cron line"
          mono
          placeholder="0 9 * * 1-5"
          hint="Minute, hour, day, month, weekday. It replaces the frequency. Checks start within five minutes of each time."
          value={fields.scheduleCron}
          onChange={(event) => put({ scheduleCron: event.target.value })}
          error={problems.scheduleCron}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {timetable && kind !== "always" && !(isGroup && kind === "week") && (
        <NextRuns timetable={timetable} frequency={Number(fields.frequency)} plan={plan} />
      )}
    </div>
  );
}

type NextRunsProps = { timetable: Timetable; frequency: number; plan: Plan };

/** The next five checks under this schedule. */
function NextRuns({ timetable, frequency, plan }: NextRunsProps) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 20_000);
    return () => clearInterval(timer);
  }, []);
  const hasFrequency = Number.isFinite(frequency) && frequency >= 1;
  const problem = refuseTimetable(timetable, now);
  const rhythm = { frequencyMinutes: frequency, minimumMinutes: plan.minimumMinutes };
  const runs = problem || !hasFrequency ? [] : nextRuns(timetable, rhythm, now, 5);
  return (
    <div aria-live="polite" className="grid gap-1 rounded-control bg-sunken p-3 text-sm">
      <p className="font-medium">Next five checks</p>
      {runs.length === 0 && <p className="text-muted">{problem?.reason ?? "Enter a frequency first."}</p>}
      <ol className="figures grid gap-0.5">
        {runs.map((run) => (
          <li key={run.getTime()}>
            <time dateTime={run.toISOString()}>{inZone(run, timetable.zone)}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}

function inZone(at: Date, timeZone: string): string {
  return at.toLocaleString(undefined, {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
}

/** If the group has no timetable, inheriting from it means any hour. */
const shownKind = ({ scheduleKind, isScheduled }: JobFields) =>
  scheduleKind === "group" && !isScheduled ? "always" : scheduleKind;

/** Summarizes the timetable in a few words. */
export function scheduleNote(fields: JobFields, inherited: Timetable | null = null): string {
  const kind = shownKind(fields);
  if (kind === "always") return "at any hour";
  if (kind !== "group") return timetableNote({ week: fields.scheduleWeek, cron: fields.scheduleCron }, kind);
  return inherited ? `group default: ${timetableNote(inherited)}` : "group default";
}

function timetableNote({ week, cron }: Pick<Timetable, "week" | "cron">, kind = week ? "week" : "cron") {
  return kind === "cron" ? cron || "a cron line" : `${week?.flat().length ?? 0} hours a week`;
}
