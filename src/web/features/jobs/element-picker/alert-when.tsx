import { useEffect, useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/select.tsx";
import type { PickedAlert } from "./picked-changes.ts";

type AlertWhenProps = {
  /** What the part shows. */
  text: string;
  isNumber: boolean;
  onAlert: (alert: PickedAlert) => void;
};

const numberOptions = [
  { value: "below", label: "is below" },
  { value: "above", label: "is above" },
] as const;
const textOptions = [
  { value: "removed", label: "is removed" },
  { value: "added", label: "says" },
] as const;

/** 'Alert when this…': a number passes a limit, a text goes, or another one appears. */
export function AlertWhen({ text, isNumber, onAlert }: AlertWhenProps) {
  const [isAsking, setAsking] = useState(false);
  const [is, setIs] = useState<PickedAlert["is"]>(isNumber ? "below" : "removed");
  const [entry, setEntry] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const find = (what: string) => form.current?.querySelector<HTMLElement>(what);
    if (isAsking) (find("input") ?? find("select"))?.focus();
  }, [isAsking]);
  const alert = alertOf(is, text, entry.trim());
  if (!isAsking) return <Button onClick={() => setAsking(true)}>Alert when this…</Button>;
  return (
    <form
      ref={form}
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (alert) onAlert(alert);
      }}
    >
      <Select
        label={isNumber ? "Alert when this number" : "Alert when this text"}
        hideLabel
        value={is}
        onChange={(chosen) => setIs(chosen as PickedAlert["is"])}
        options={isNumber ? numberOptions : textOptions}
        className="w-30"
      />
      {is !== "removed" && (
        <input
          {...(isNumber ? { type: "number", step: "any" } : { maxLength: 200 })}
          aria-label={isNumber ? "Limit" : "New text"}
          placeholder={text}
          value={entry}
          onChange={(event) => setEntry(event.target.value)}
          className="h-8 w-36 rounded-control border border-edge bg-surface px-3 text-base placeholder:text-quiet"
        />
      )}
      <Button type="submit" look="primary" disabled={!alert}>
        Save
      </Button>
      <Button look="ghost" onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </form>
  );
}

/** Undefined while something is missing. */
function alertOf(is: PickedAlert["is"], text: string, entry: string): PickedAlert | undefined {
  if (is === "removed") return { is, text };
  if (entry === "") return undefined;
  if (is === "added") return { is, text: entry };
  const amount = Number(entry);
  return Number.isFinite(amount) ? { is, amount } : undefined;
}
