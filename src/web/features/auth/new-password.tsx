import { useState } from "react";
import { Link, useParams } from "react-router";
import { passwordHasContent, passwordHasLength, passwordRule } from "#accounts/password-rule.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { useMessageBox } from "#web/ui/message-box.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import { AuthLayout, authLink } from "./auth-layout.tsx";
import { resetFailure, resetSuccess } from "./outcomes.ts";
import { PasswordRules } from "./password-rules.tsx";
import { RecoveryKeys, useRecoveryKeys } from "./recovery-keys.tsx";

/** Sets a new password with the token from the recovery mail. */
export function NewPassword() {
  const { token } = useParams();
  const [password, setPassword] = useState("");
  const keys = useRecoveryKeys(token);
  const [revokeKeys, setRevokeKeys] = useState(false);
  const { box, show } = useMessageBox();
  const { busy, submit } = useSubmit(async () => {
    if (!token) return;
    if (!passwordHasLength(password) || !passwordHasContent(password)) {
      show({ title: "Invalid Password", message: passwordRule.message });
      return;
    }
    try {
      show(
        resetSuccess(
          await call("PATCH /api/recover/:token", {
            params: { token },
            body: { newPassword: password, ...(revokeKeys ? { revokeKeys } : {}) },
          }),
        ),
      );
    } catch (error) {
      show(resetFailure(error));
    }
  });
  return (
    <AuthLayout
      title="Set up a new password"
      lead="It replaces the old one and ends every open session."
      foot={
        <p>
          Link too old?{" "}
          <Link to="/recover" className={authLink}>
            Send a new one
          </Link>
          . Remembered it?{" "}
          <Link to="/login" className={authLink}>
            Login instead
          </Link>
        </p>
      }
    >
      <form onSubmit={submit} noValidate className="grid gap-5">
        <div className="grid gap-3">
          <Field
            roomy
            label="New password"
            type="password"
            name="password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <PasswordRules password={password} />
        </div>
        <RecoveryKeys keys={keys} revoke={revokeKeys} onChange={setRevokeKeys} />
        <Button type="submit" look="primary" size="lg" busy={busy}>
          Update
        </Button>
      </form>
      {box}
    </AuthLayout>
  );
}
