import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/select.tsx";
import type { NumberAlert } from "./picked-changes.ts";

type FollowNumberProps = {
  /** The number as the page shows it. */
  text: string;
  onFollow: () => void;
  onAlert: (alert: NumberAlert) => void;
};

/** What can be done with a part that shows a number: chart it, or be alerted when it passes a limit. */
export function FollowNumber({ text, onFollow, onAlert }: FollowNumberProps) {
  const [isAsking, setAsking] = useState(false);
  const [is, setIs] = useState<NumberAlert["is"]>("below");
  const [amount, setAmount] = useState("");
  const number = Number(amount);
  const isValid = amount.trim() !== "" && Number.isFinite(number);
  if (!isAsking) {
    return (
      <>
        <Button onClick={onFollow} title={text}>
          Follow this number <span className="max-w-28 truncate font-normal text-muted">({text})</span>
        </Button>
        <Button onClick={() => setAsking(true)}>Alert when this…</Button>
      </>
    );
  }
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) onAlert({ is, amount: number });
      }}
    >
      <Select
        label="Alert when this number"
        hideLabel
        value={is}
        onChange={(chosen) => setIs(chosen as NumberAlert["is"])}
        options={[
          { value: "below", label: "is below" },
          { value: "above", label: "is above" },
        ]}
        className="w-28"
      />
      <input
        type="number"
        step="any"
        aria-label="Limit"
        placeholder={text}
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        className="h-8 w-28 rounded-control border border-edge bg-surface px-3 text-base placeholder:text-quiet"
      />
      <Button type="submit" look="primary" disabled={!isValid}>
        Save
      </Button>
      <Button look="ghost" onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </form>
  );
}
