import { useEffect, useRef, useState } from "react";
import type { Incident } from "#contract/incident.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { SeverityWord, severityEdge } from "#web/ui/severity.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { IncidentDetails } from "./incident-details.tsx";
import { IncidentNoise } from "./incident-noise.tsx";

type IncidentRowProps = {
  incident: Incident;
  /** Whether the page's address names this incident. */
  isOpened: boolean;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
};

export function IncidentRow({ incident, isOpened, isSelected, onSelect }: IncidentRowProps) {
  const [isOpen, setOpen] = useState(isOpened);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpened) row.current?.scrollIntoView({ block: "center" });
  }, [isOpened]);
  return (
    <li
      ref={row}
      className={cx("grid grid-cols-[minmax(0,1fr)] gap-2 py-3 ps-3.5 pe-4", severityEdge(incident.severity))}
    >
      <div className="flex items-start gap-3">
        <input
          type="checkbox"
          className="mt-1 size-4 shrink-0 accent-accent-text"
          aria-label={`Select “${incident.summary}” to merge it`}
          checked={isSelected}
          onChange={({ target }) => onSelect(target.checked)}
        />
        <p dir="auto" className="min-w-0 font-medium wrap-anywhere">
          {incident.summary}
        </p>
      </div>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
        <SeverityWord severity={incident.severity} />
        <span>
          {countOf(incident.pages, "page")}, first <Time at={incident.firstAt} />, last{" "}
          <Time at={incident.lastAt} />
        </span>
      </p>
      {incident.opinion && (
        <p dir="auto" className="text-sm text-muted wrap-anywhere">
          In the words of {incident.opinion.model.slice(0, 60)}, unchecked: “{incident.opinion.sentence}”
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" look="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide the pages" : "Show the pages"}
        </Button>
        <IncidentNoise incident={incident} />
      </div>
      {isOpen && <IncidentDetails incident={incident} />}
    </li>
  );
}
