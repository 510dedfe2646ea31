import { useMutation } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { planById } from "#contract/plans.ts";
import { call } from "#web/api/call.ts";
import { type Me, useRefreshMe } from "#web/api/me.ts";
import { Card } from "#web/ui/card.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Field } from "#web/ui/field.tsx";
import { Switch } from "#web/ui/switch.tsx";

type Wanted = { telegramNotifications?: boolean; emailNotifications?: boolean };

/** How alerts reach the user: the bot, its token, and two independent switches. */
export function Automations({ me }: { me: Me }) {
  const refreshMe = useRefreshMe();
  const change = useMutation({
    mutationFn: (body: Wanted) => call("PATCH /api/settings/notifications", { body }),
    onSuccess: refreshMe,
    onError: (error) => toast.error(error.message || "The setting could not be saved. The old one holds."),
  });
  // The wanted state is shown at once; if the call fails, the true one returns.
  const wanted = change.isPending ? change.variables : {};
  const token = me.UserBotToken[0]?.telegramPrivateToken ?? "";
  const included = planById(me.planId).telegram;
  return (
    <Card title="BOT and Automations">
      <div className="grid grid-cols-1 gap-6 p-4">
        <div className="grid gap-3 rounded-control bg-sunken p-4">
          <p className="font-medium">How to link your Telegram chat</p>
          <ol className="grid list-decimal gap-1 ps-5 text-muted">
            <li>Open a chat with the Watchglass bot in Telegram.</li>
            <li>
              Send it the command <code className="font-mono text-ink">/addtoken</code> followed by your bot
              token.
            </li>
            <li>The bot answers, and from then on brings your alerts to that chat.</li>
          </ol>
          {!included && (
            <p className="text-muted">Telegram alerts are part of the Professional and Ultimate plans.</p>
          )}
        </div>
        <Field
          label="Bot token"
          hint="Whoever has it can receive your alerts. Keep it to yourself."
          value={token}
          readOnly
          mono
          after={<CopyButton value={`/addtoken ${token}`} label="Copy the command with the token" />}
        />
        <Switch
          label="Telegram notifications"
          hint="Alerts go to the linked chat."
          checked={wanted.telegramNotifications ?? me.notifications.telegram}
          onChange={(on) => change.mutate({ telegramNotifications: on })}
        />
        <Switch
          label="E-mail notifications"
          hint={`Alerts go to ${me.email}, also when the bot fails.`}
          checked={wanted.emailNotifications ?? me.notifications.email}
          onChange={(on) => change.mutate({ emailNotifications: on })}
        />
      </div>
    </Card>
  );
}
