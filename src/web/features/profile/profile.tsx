import * as Radix from "radix-ui/tabs";
import type { ReactNode } from "react";
import { type Me, useMe } from "#web/api/me.ts";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { ApiKeys } from "./api-keys/api-keys.tsx";
import { Activity } from "./audit-trail/activity.tsx";
import { Automations } from "./channels/automations.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { Paces } from "./delivery-schedule/delivery-schedule.tsx";
import { Evidence } from "./evidence/evidence.tsx";
import { Feeds } from "./feeds/feeds.tsx";
import { Identities } from "./identities/identities.tsx";
import { Moving } from "./import-export/import-export.tsx";
import { Identity } from "./name-and-photo/identity.tsx";
import { Proxies } from "./proxies/proxies.tsx";
import { SecondOpinion } from "./second-opinion/second-opinion.tsx";
import { TriggerRuns } from "./triggers/trigger-runs.tsx";

const parts: { id: string; label: string; render: (me: Me) => ReactNode }[] = [
  {
    id: "account",
    label: "Account",
    render: (me) => (
      <>
        <Identity me={me} />
        <DeleteAccount />
      </>
    ),
  },
  {
    id: "channels",
    label: "Channels",
    render: (me) => (
      <>
        <Automations me={me} />
        <Paces me={me} />
      </>
    ),
  },
  {
    id: "data",
    label: "API and data",
    render: () => (
      <>
        <ApiKeys />
        <Feeds />
        <TriggerRuns />
        <Moving />
        <Evidence />
      </>
    ),
  },
  { id: "identities", label: "Identities", render: () => <Identities /> },
  { id: "proxies", label: "Proxies", render: () => <Proxies /> },
  { id: "second-opinion", label: "Second opinion", render: () => <SecondOpinion /> },
  { id: "activity", label: "Activity", render: () => <Activity /> },
];

/** The user's own settings, in parts that the URL names. */
export function Profile() {
  const { data: me } = useMe();
  const [search, change] = useUrlParams();
  if (!me) return null;
  const shown = parts.find(({ id }) => id === search.get("part"))?.id ?? "account";
  return (
    <div className="mx-auto grid w-full max-w-190 grid-cols-1 gap-4">
      <h1 className="text-xl">Profile</h1>
      <Radix.Root
        value={shown}
        onValueChange={(part) => change({ part: part === "account" ? null : part }, true)}
        className="grid grid-cols-1 gap-6"
      >
        <Radix.List
          aria-label="Profile"
          className="flex flex-wrap gap-x-4 border-b border-line max-sm:gap-x-3"
        >
          {parts.map(({ id, label }) => (
            <Radix.Trigger
              key={id}
              value={id}
              className="-mb-px border-b-2 border-transparent py-2 whitespace-nowrap text-muted transition-colors hover:text-ink data-[state=active]:border-accent-text data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {parts.map(({ id, render }) => (
          <Radix.Content key={id} value={id} className="grid grid-cols-1 gap-6">
            {render(me)}
          </Radix.Content>
        ))}
      </Radix.Root>
    </div>
  );
}
