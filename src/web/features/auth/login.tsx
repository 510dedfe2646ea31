import { useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { useMessageBox } from "#web/ui/message-box.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import { useSubmit } from "#web/ui/use-submit.ts";
import { AuthLayout, authLink } from "./auth-layout.tsx";
import { loginFailure } from "./outcomes.ts";

/** Signs the user in, then opens the dashboard or the view that required signing in. */
export function Login() {
  // Read when it is sent, so that what a visitor or password manager entered before the script was there counts.
  const form = useRef<HTMLFormElement>(null);
  const isHydrated = useHydrated();
  const { box, show } = useMessageBox();
  const navigate = useNavigate();
  // Set by our own shell, never by a URL, so it can only be one of our paths.
  const returnPath = (useLocation().state as { from?: string } | null)?.from;
  const { busy, submit } = useSubmit(async () => {
    try {
      const entered = new FormData(form.current ?? undefined);
      const read = (name: string) => entered.get(name) as string;
      await call("POST /api/auth/login", { body: { email: read("email"), password: read("password") } });
      await navigate(returnPath ?? "/dashboard", { replace: true });
    } catch (error) {
      show(loginFailure(error));
    }
  });
  return (
    <AuthLayout
      title="Sign in"
      foot={
        <>
          <p>
            New to Watchglass?{" "}
            <Link to="/register" className={authLink}>
              Signup here
            </Link>
          </p>
          <p>
            <Link to="/" className={authLink}>
              Back
            </Link>
          </p>
        </>
      }
    >
      <form ref={form} onSubmit={submit} noValidate className="grid gap-5">
        <Field roomy label="Email" type="email" name="email" autoComplete="username" />
        <Field roomy label="Password" type="password" name="password" autoComplete="current-password" />
        {/* The browser must not send the form by itself: its address would hold the password. */}
        <Button type="submit" look="primary" size="lg" busy={busy} disabled={!isHydrated}>
          Login
        </Button>
        <Link to="/recover" className={`${authLink} justify-self-center`}>
          Forgot Password
        </Link>
      </form>
      {box}
    </AuthLayout>
  );
}
