import { type ReactNode, useState } from "react";
import toast from "react-hot-toast";
import { Link, useNavigate } from "react-router";
import { CallError, call } from "#web/api/call.ts";
import type { Me } from "#web/api/me.ts";
import { useSite } from "#web/api/site.ts";
import { Notifications } from "#web/features/notifications/notifications.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { cx } from "#web/ui/cx.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Wordmark } from "#web/ui/mark.tsx";
import { ThemeChoice } from "#web/ui/theme/theme-choice.tsx";
import { useUrlParams, withUrlParams } from "#web/ui/urls/use-url-params.ts";
import { type ViewId, viewPath, views } from "./views.ts";

const entry =
  "flex h-8 w-full items-center gap-2.5 rounded-control px-2.5 max-menu:h-10 max-menu:gap-2 max-menu:px-1.5 text-start text-base text-muted transition-colors hover:bg-hover hover:text-ink aria-[current]:bg-fill aria-[current]:font-medium aria-[current]:text-ink";

const createEntries: { dialog: string; label: string; icon: IconName }[] = [
  { dialog: "new-job", label: "New Job", icon: "plus" },
  { dialog: "new-group", label: "New Group", icon: "folder" },
];

/** The left menu; at 640 px and below, it collapses behind a toggle. */
export function Menu({ me, current }: { me: Me; current: ViewId }) {
  const [open, setOpen] = useState(false);
  const [search] = useUrlParams();
  const site = useSite();
  const navigate = useNavigate();

  async function signOut() {
    try {
      await call("POST /api/auth/logout");
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 401) {
        toast.error("You’re still signed in: we couldn’t reach the server.");
        return;
      }
    }
    // The next account in this browser must not see this account's drafts.
    sessionStorage.clear();
    await navigate("/");
  }

  const viewsOf = (section: "general" | "settings") =>
    views
      .filter((view) => view.section === section)
      .map((view) => (
        <Entry
          key={view.id}
          icon={view.icon}
          to={viewPath(view.id)}
          current={view.id === current}
          onClick={() => setOpen(false)}
        >
          {view.label}
        </Entry>
      ));

  return (
    <header className="z-10 flex flex-col border-line bg-surface max-menu:sticky max-menu:top-0 max-menu:border-b menu:sticky menu:top-0 menu:h-dvh menu:border-e">
      <div className="flex h-13 shrink-0 items-center justify-between px-4 menu:h-15">
        <Link to="/dashboard" aria-label="Watchglass dashboard" className="rounded-sm">
          <Wordmark />
        </Link>
        <button
          type="button"
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
          className="grid size-9 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink menu:hidden"
        >
          <Icon name={open ? "close" : "menu"} />
          <span className="sr-only">Menu</span>
        </button>
      </div>
      <div
        id="menu"
        className={cx(
          "min-h-0 flex-1 flex-col overflow-y-auto menu:flex max-menu:max-h-[calc(100dvh-52px)]",
          open ? "flex" : "max-menu:hidden",
        )}
      >
        <nav aria-label="Menu" className="grid flex-1 content-start gap-3 px-2 py-2 menu:gap-6">
          <Section title="General">
            {viewsOf("general")}
            {createEntries.map(({ dialog, label, icon }) => (
              <Entry
                key={dialog}
                icon={icon}
                to={`/dashboard?${withUrlParams(search, { view: "jobs", dialog })}`}
                current={false}
                onClick={() => setOpen(false)}
              >
                {label}
              </Entry>
            ))}
            <li>
              <Notifications className={entry} />
            </li>
            {site && (
              <li>
                <a href={`mailto:${site.supportEmail}`} className={entry}>
                  <Icon name="mail" />
                  Support
                </a>
              </li>
            )}
          </Section>
          <Section title="Settings">
            {viewsOf("settings")}
            <li>
              <button type="button" onClick={() => void signOut()} className={entry}>
                <Icon name="exit" />
                Exit
              </button>
            </li>
          </Section>
        </nav>
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line p-4 menu:flex-col menu:items-start">
          <ThemeChoice className="shrink-0" />
          <div className="flex min-w-0 items-center gap-2.5 max-menu:flex-1 menu:w-full">
            <Avatar {...me} className="size-8 text-sm" />
            <div className="min-w-0">
              <p className="truncate font-medium" title={`${me.firstname} ${me.surname}`}>
                {me.firstname} {me.surname}
              </p>
              <p className="truncate text-sm text-muted">{me.plan}</p>
            </div>
          </div>
        </div>
      </div>
    </header>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <p className="px-2.5 text-xs text-muted">{title}</p>
      <ul className="grid gap-0.5 max-menu:grid-cols-2">{children}</ul>
    </div>
  );
}

type EntryProps = { icon: IconName; to: string; current: boolean; onClick: () => void; children: ReactNode };

function Entry({ icon, to, current, onClick, children }: EntryProps) {
  return (
    <li>
      <Link to={to} onClick={onClick} aria-current={current ? "page" : undefined} className={entry}>
        <Icon name={icon} />
        {children}
      </Link>
    </li>
  );
}
