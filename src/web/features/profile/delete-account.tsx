import { useState } from "react";
import { useNavigate } from "react-router";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";

/** Deletes the account, after confirmation with the password. */
export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Delete account">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="max-w-140 text-muted">
          Stops all jobs and permanently deletes your groups, jobs, captures and settings. This can’t be
          undone.
        </p>
        <Button icon="trash" onClick={() => setOpen(true)}>
          Delete Account
        </Button>
      </div>
      {open && <Confirm onClose={() => setOpen(false)} />}
    </Card>
  );
}

function Confirm({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const navigate = useNavigate();
  const { busy, submit } = useSubmit(async () => {
    try {
      await call("DELETE /api/me", { body: { password } });
      await navigate("/", { replace: true });
    } catch (error) {
      setProblem((error as Error).message || "We couldn’t delete the account. Nothing was removed.");
    }
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete Account"
      description="Your jobs, captures and settings will be permanently deleted. Enter your password to confirm."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form="delete-account" look="danger" busy={busy}>
            Delete everything
          </Button>
        </>
      }
    >
      <form id="delete-account" onSubmit={submit} noValidate className="mt-4">
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={problem}
          onChange={(event) => {
            setPassword(event.target.value);
            setProblem(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
