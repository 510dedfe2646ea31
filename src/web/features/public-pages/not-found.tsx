import { useLocation } from "react-router";
import { ButtonLink } from "#web/ui/button.tsx";
import { useTitle } from "#web/ui/use-title.ts";

/** The page for an unknown URL. */
export function NotFound() {
  useTitle("Page not found");
  const { pathname } = useLocation();
  return (
    <section className="mx-auto grid max-w-160 grid-cols-1 gap-5 px-5 py-24">
      <p className="font-mono text-base text-muted">Status 404</p>
      <h1 className="text-2xl">There is no page here</h1>
      <p className="text-muted">
        There’s nothing at <code className="font-mono text-base text-ink">{pathname}</code>. The address may
        be mistyped, or the page may have moved.
      </p>
      <div>
        <ButtonLink to="/" look="primary">
          Go to the front page
        </ButtonLink>
      </div>
    </section>
  );
}
