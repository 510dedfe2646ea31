import { useState } from "react";
import { Link } from "react-router";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { useMessageBox } from "#web/ui/message-box.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import { AuthLayout, authLink } from "./auth-layout.tsx";
import { recoverFailure, recoverSuccess } from "./outcomes.ts";

/** Requests a recovery link. */
export function Recover() {
  const [email, setEmail] = useState("");
  const { box, show } = useMessageBox();
  const { busy, submit } = useSubmit(async () => {
    try {
      show(recoverSuccess(await call("POST /api/recover", { body: { email } })));
    } catch (error) {
      show(recoverFailure(error));
    }
  });
  return (
    <AuthLayout
      title="Recovery"
      lead="We mail you a link that sets a new password."
      foot={
        <p>
          Remember it after all?{" "}
          <Link to="/login" className={authLink}>
            Login instead
          </Link>
        </p>
      }
    >
      <form onSubmit={submit} noValidate className="grid gap-5">
        <Field
          roomy
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" look="primary" size="lg" busy={busy}>
          Send Recovery Link
        </Button>
      </form>
      {box}
    </AuthLayout>
  );
}
