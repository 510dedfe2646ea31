import { type KeyboardEvent, useRef, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const hours = Array.from({ length: 24 }, (_, hour) => hour);

type WeekGridProps = { week: number[][]; onChange: (week: number[][]) => void; isWrong: boolean };

/** A grid of the hours of a week: a click, a drag or Space toggles cells, arrow keys move the focus. */
export function WeekGrid({ week, onChange, isWrong }: WeekGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [focusedCell, setFocusedCell] = useState({ day: 0, hour: 9 });
  // The state that a pointer drag sets on the cells it crosses.
  const dragState = useRef<boolean | null>(null);
  const isOn = (day: number, hour: number) => week[day]?.includes(hour) ?? false;
  function setCells(isWanted: boolean, matches: (day: number, hour: number) => boolean) {
    onChange(
      week.map((own, day) => hours.filter((hour) => (matches(day, hour) ? isWanted : own.includes(hour)))),
    );
  }
  function toggleAll(matches: (day: number, hour: number) => boolean) {
    const all = week.flatMap((_, day) =>
      hours.filter((hour) => matches(day, hour)).map((hour) => isOn(day, hour)),
    );
    setCells(!all.every(Boolean), matches);
  }
  function move(event: KeyboardEvent, day: number, hour: number) {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const next = { day: (day + step[0] + 7) % 7, hour: (hour + step[1] + 24) % 24 };
    setFocusedCell(next);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next.day}-${next.hour}"]`)?.focus();
  }
  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Hours of the week"
      tabIndex={-1}
      className={cx(
        "grid grid-cols-[3rem_repeat(7,minmax(0,1fr))] gap-px overflow-clip rounded-control border bg-line select-none",
        isWrong ? "border-danger" : "border-line",
      )}
    >
      <div role="row" className="contents">
        <span aria-hidden="true" className="bg-surface" />
        {days.map((day, at) => (
          <div key={day} role="columnheader" className="bg-surface">
            <button
              type="button"
              aria-label={`${day}, all day`}
              onClick={() => toggleAll((one) => one === at)}
              className="h-7 w-full text-xs font-medium text-muted -outline-offset-2 hover:bg-hover hover:text-ink"
            >
              {day}
            </button>
          </div>
        ))}
      </div>
      {hours.map((hour) => (
        <div key={hour} role="row" className="contents">
          <div role="rowheader" className="bg-surface">
            <button
              type="button"
              aria-label={`${clock(hour)} on every day`}
              onClick={() => toggleAll((_, one) => one === hour)}
              className="figures h-6 w-full font-mono text-xs text-muted -outline-offset-2 hover:bg-hover hover:text-ink"
            >
              {clock(hour)}
            </button>
          </div>
          {days.map((_, day) => (
            <div
              key={day}
              role="gridcell"
              data-cell={`${day}-${hour}`}
              aria-selected={isOn(day, hour)}
              aria-label={`${dayNames[day]} ${clock(hour)}`}
              tabIndex={focusedCell.day === day && focusedCell.hour === hour ? 0 : -1}
              onFocus={() => setFocusedCell({ day, hour })}
              onKeyDown={(event) => {
                if (event.key !== " " && event.key !== "Enter") return move(event, day, hour);
                event.preventDefault();
                setCells(!isOn(day, hour), (one, other) => one === day && other === hour);
              }}
              onPointerDown={(event) => {
                if (event.button !== 0) return;
                dragState.current = !isOn(day, hour);
                setCells(dragState.current, (one, other) => one === day && other === hour);
              }}
              onPointerEnter={(event) => {
                if (event.buttons !== 1 || dragState.current === null) return;
                setCells(dragState.current, (one, other) => one === day && other === hour);
              }}
              className={cx(
                "grid h-6 cursor-pointer place-items-center -outline-offset-2",
                isOn(day, hour) ? "bg-accent text-accent-ink" : "bg-surface hover:bg-hover",
              )}
            >
              {isOn(day, hour) && <Icon name="check" className="size-3" />}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;
