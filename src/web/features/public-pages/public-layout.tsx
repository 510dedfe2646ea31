import { useSyncExternalStore } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { ButtonLink } from "#web/ui/button.tsx";
import { LoadBoundary } from "#web/ui/lazy-loading/load-boundary.tsx";
import { Mark } from "#web/ui/mark.tsx";
import { SkipLink } from "#web/ui/skip-link.tsx";
import { ThemeChoice } from "#web/ui/theme/theme-choice.tsx";

const quietLink = "rounded-sm text-muted transition-colors hover:text-ink";

/** Header and footer around every public page. */
export function PublicLayout() {
  return (
    <div className="flex min-h-dvh flex-col bg-canvas text-lg">
      <SkipLink />
      <Header />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <LoadBoundary page={useLocation().pathname}>
          <Outlet />
        </LoadBoundary>
      </main>
      <Footer />
    </div>
  );
}

function Header() {
  return (
    <header className="sticky top-0 z-10 border-b border-line bg-canvas/90 backdrop-blur-md">
      <nav
        aria-label="Main"
        className="mx-auto flex h-15 max-w-280 items-center gap-x-3 px-4 text-base whitespace-nowrap sm:gap-x-5 sm:px-5"
      >
        <Link
          to="/"
          aria-label="Watchglass"
          className="flex items-center gap-2 rounded-sm text-lg font-semibold tracking-tight"
        >
          <Mark />
          <span className="max-sm:hidden">Watchglass</span>
        </Link>
        <Link to="/#use-cases" className={`${quietLink} ms-auto sm:ms-4`}>
          Use Cases
        </Link>
        <Link to="/#pricing" className={quietLink}>
          Pricing
        </Link>
        <Link to="/login" className={`${quietLink} sm:ms-auto`}>
          Signin
        </Link>
        <ButtonLink to="/register" look="primary">
          Signup
        </ButtonLink>
      </nav>
    </header>
  );
}

/** The current year instead of the year of the build; null while prerendering. */
function useYear(): number | null {
  return useSyncExternalStore(
    () => () => {},
    () => new Date().getFullYear(),
    () => null,
  );
}

function Footer() {
  const year = useYear();
  return (
    <footer className="border-t border-line text-base">
      <div className="mx-auto grid max-w-280 gap-8 px-5 py-10 sm:grid-cols-[1fr_auto_auto] sm:gap-16">
        <div className="grid content-start gap-3">
          <span className="flex items-center gap-2 font-semibold">
            <Mark size={16} />
            Watchglass
          </span>
          <p className="text-muted">Thanks for watching with care, and only what you may.</p>
          <p className="text-sm text-muted">© {year} Watchglass. All rights reserved</p>
        </div>
        <ul className="grid content-start gap-2">
          <li>
            <Link to="/about" className={quietLink}>
              About
            </Link>
          </li>
          <li>
            <Link to="/terms-and-conditions" className={quietLink}>
              Terms and Conditions
            </Link>
          </li>
          <li>
            <Link to="/privacy" className={quietLink}>
              Privacy Policy
            </Link>
          </li>
        </ul>
        <ul className="grid content-start justify-items-start gap-2 text-muted">
          <li>Our social media</li>
          <li>Support</li>
          <li>
            <ThemeChoice />
          </li>
        </ul>
      </div>
    </footer>
  );
}
