import { useMe } from "#web/api/me.ts";
import { Activity } from "./activity.tsx";
import { ApiKeys } from "./api-keys.tsx";
import { Automations } from "./automations.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { Evidence } from "./evidence.tsx";
import { Feeds } from "./feeds.tsx";
import { Identity } from "./identity.tsx";
import { Moving } from "./moving.tsx";
import { Paces } from "./paces.tsx";
import { TriggerRuns } from "./trigger-runs.tsx";

/** The user's own settings. */
export function Profile() {
  const { data: me } = useMe();
  if (!me) return null;
  return (
    <div className="mx-auto grid max-w-190 grid-cols-1 gap-6">
      <h1 className="text-xl">Profile</h1>
      <Identity me={me} />
      <Automations me={me} />
      <Paces me={me} />
      <TriggerRuns />
      <Feeds />
      <ApiKeys />
      <Moving />
      <Evidence />
      <Activity />
      <DeleteAccount />
    </div>
  );
}
