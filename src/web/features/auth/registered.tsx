import { Link, useParams } from "react-router";
import { useSite } from "#web/api/site.ts";
import { Wordmark } from "#web/ui/mark.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { authLink } from "./auth-layout.tsx";
import { MailPicture } from "./mail-picture.tsx";

/** Shows which address the activation link was sent to. */
export function Registered() {
  useTitle("Check your mailbox");
  const { email = "" } = useParams();
  const site = useSite();
  return (
    <main tabIndex={-1} className="grid min-h-dvh grid-cols-1 bg-canvas outline-none md:grid-cols-2">
      <div className="grid place-items-center border-line bg-surface p-8 max-md:border-b md:border-e">
        <MailPicture />
      </div>
      <div className="grid grid-cols-1 content-center gap-5 p-8 text-lg md:p-14">
        <Wordmark />
        <h1 className="text-2xl tracking-tight">You are getting closer</h1>
        <p className="max-w-110 text-muted">
          Check the mailbox of <strong className="font-medium text-ink">{email}</strong> for the email with
          your activation link. The link works for 24 hours.
        </p>
        {site?.mailbox && (
          <p className="max-w-110 rounded-control bg-accent-bg px-4 py-3 text-base">
            This installation doesn’t send email. Yours is in its{" "}
            <Link to="/mailbox" className={authLink}>
              local mailbox
            </Link>
            , where you can open the activation link.
          </p>
        )}
        <p className="max-w-110 text-base text-muted">
          Nothing after a few minutes? Check your spam folder, or{" "}
          <Link to="/register" className={authLink}>
            sign up again
          </Link>{" "}
          if the address is wrong. Once activated,{" "}
          <Link to="/login" className={authLink}>
            log in here
          </Link>
          .
        </p>
      </div>
    </main>
  );
}
