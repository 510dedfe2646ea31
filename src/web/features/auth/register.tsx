import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { plans } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { useMessageBox } from "#web/ui/message-box.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import { AuthLayout, authLink } from "./auth-layout.tsx";
import { registerFailure } from "./outcomes.ts";
import { PasswordRules } from "./password-rules.tsx";

/** Signs the user up. The server validates the input; the rules below the password field are only a help. */
export function Register() {
  const [input, setInput] = useState({ firstname: "", surname: "", email: "", password: "" });
  const { box, show } = useMessageBox();
  const navigate = useNavigate();
  const { busy, submit } = useSubmit(async () => {
    try {
      await call("POST /api/auth/register", { body: input });
      await navigate(`/register/finished/${encodeURIComponent(input.email.trim())}`, { replace: true });
    } catch (error) {
      show(registerFailure(error));
    }
  });
  const bind = (name: keyof typeof input) => ({
    name,
    value: input[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setInput({ ...input, [name]: event.target.value }),
  });
  return (
    <AuthLayout
      title="Create your account"
      lead={`Free for ${plans[0].jobs} jobs. No credit card required.`}
      foot={
        <>
          <p>
            Already have an account?{" "}
            <Link to="/login" className={authLink}>
              Login instead
            </Link>
          </p>
          <p className="text-sm">
            By continuing you accept the{" "}
            <Link to="/terms-and-conditions" className={authLink}>
              terms
            </Link>{" "}
            and the{" "}
            <Link to="/privacy" className={authLink}>
              privacy policy
            </Link>
            .
          </p>
        </>
      }
    >
      <form onSubmit={submit} noValidate className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2 sm:gap-3">
          <Field roomy label="First Name" autoComplete="given-name" {...bind("firstname")} />
          <Field roomy label="Second Name" autoComplete="family-name" {...bind("surname")} />
        </div>
        <Field roomy label="Email" type="email" autoComplete="username" {...bind("email")} />
        <div className="grid gap-3">
          <Field roomy label="Password" type="password" autoComplete="new-password" {...bind("password")} />
          <PasswordRules password={input.password} />
        </div>
        <Button type="submit" look="primary" size="lg" busy={busy}>
          Continue
        </Button>
      </form>
      {box}
    </AuthLayout>
  );
}
