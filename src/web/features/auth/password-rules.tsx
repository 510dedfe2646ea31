import { passwordHasContent, passwordHasLength, passwordRule } from "#accounts/password-rule.ts";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";

/** Shows which parts of the password rule are met while the user types. */
export function PasswordRules({ password }: { password: string }) {
  const { minimum, maximum, symbols } = passwordRule;
  return (
    <ul aria-label="Password rules" className="grid gap-1.5 text-sm">
      <Rule holds={passwordHasLength(password)}>
        {minimum}-{maximum} characters
      </Rule>
      <Rule holds={passwordHasContent(password)}>
        Letters A-Z, with at least one number and one of these symbols:{" "}
        <span className="font-mono whitespace-nowrap">{symbols.split("").join(" ")}</span>. No spaces or
        accents.
      </Rule>
      <li className="flex gap-2 text-muted">
        <Icon name="info" className="mt-0.5" />
        <span>Do not use your email address as the password</span>
      </li>
    </ul>
  );
}

function Rule({ holds, children }: { holds: boolean; children: React.ReactNode }) {
  return (
    <li
      data-holds={holds}
      className={cx("flex gap-2 transition-colors", holds ? "text-added" : "text-muted")}
    >
      <Icon name={holds ? "check" : "minus"} className="mt-0.5" />
      <span>
        {children}
        <span className="sr-only">{holds ? ": met" : ": not met yet"}</span>
      </span>
    </li>
  );
}
