import { useState } from "react";
import { type Scope, scopeNames, scopes } from "#accounts/api-key-scopes.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";

const ends = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "", label: "Never" },
];

/** Asks for a new key's name, scope and expiry, then shows the key this one time. */
export function NewKeyDialog({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("read");
  const [days, setDays] = useState("90");
  const [createdKey, setCreatedKey] = useState("");
  const [problem, setProblem] = useState<string>();
  const { busy, submit } = useSubmit(async () => {
    try {
      const body = { name, scope, days: days === "" ? null : Number(days) };
      setCreatedKey((await call("POST /api/keys", { body })).key);
      onMade();
    } catch (error) {
      setProblem((error as Error).message || "We couldn’t reach the server. No key was created.");
    }
  });
  if (createdKey)
    return (
      <Dialog
        open
        onClose={onClose}
        title={name}
        description="Copy the key now: it won’t be shown again."
        footer={
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <Field
          label="API key"
          className="mt-4"
          value={createdKey}
          readOnly
          mono
          hint="Sent as “Authorization: Bearer wg_…”. Anyone who has it needs no password."
          after={<CopyButton value={createdKey} label="Copy the key" />}
        />
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title="New API key"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form="new-key" look="primary" busy={busy}>
            Create key
          </Button>
        </>
      }
    >
      <form id="new-key" onSubmit={submit} noValidate className="mt-2 grid gap-4">
        <Field
          label="Name"
          placeholder="Nightly cron on the build server"
          value={name}
          error={problem}
          autoComplete="off"
          onChange={(event) => {
            setName(event.target.value);
            setProblem(undefined);
          }}
        />
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 text-sm font-medium">Scope</legend>
          {scopeNames.map((one) => (
            <label key={one} className="flex items-start gap-2">
              <input
                type="radio"
                name="scope"
                className="mt-1 accent-accent-text"
                checked={scope === one}
                onChange={() => setScope(one)}
              />
              <span>
                <span className="font-medium">{one}</span>{" "}
                <span className="text-sm text-muted">{scopes[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Select label="Expires" value={days} onChange={setDays} options={ends} />
      </form>
    </Dialog>
  );
}
