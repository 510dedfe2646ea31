import type { ReactNode } from "react";
import { Link } from "react-router";
import { Wordmark } from "#web/ui/mark.tsx";
import { useTitle } from "#web/ui/use-title.ts";

export const authLink =
  "rounded-sm text-accent-text underline decoration-transparent underline-offset-2 transition-colors hover:decoration-current";

type AuthLayoutProps = { title: string; lead?: ReactNode; children: ReactNode; foot?: ReactNode };

/** The single-column layout of the sign-in, sign-up, activation and recovery screens. */
export function AuthLayout({ title, lead, children, foot }: AuthLayoutProps) {
  useTitle(title);
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <header className="p-5">
        <Link to="/" aria-label="Watchglass" className="inline-block rounded-sm">
          <Wordmark />
        </Link>
      </header>
      <main
        tabIndex={-1}
        className="grid flex-1 justify-items-center px-5 pt-[max(24px,8vh)] pb-16 outline-none"
      >
        <div className="w-full max-w-92">
          <h1 className="text-2xl tracking-tight">{title}</h1>
          {lead && <p className="mt-1.5 text-lg text-muted">{lead}</p>}
          <div className="mt-7 grid gap-5">{children}</div>
          {foot && (
            <div className="mt-7 grid gap-3 border-t border-line pt-5 text-base text-muted">{foot}</div>
          )}
        </div>
      </main>
    </div>
  );
}
