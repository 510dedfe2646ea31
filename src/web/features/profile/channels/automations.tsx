import { useMutation } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { type GivenChannelId, givenChannelIds, channels as names } from "#channels/channel-list.ts";
import { call } from "#web/api/call.ts";
import { type Me, useRefreshMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { SigningSecret } from "../triggers/signing-secret.tsx";
import { BrowserPush } from "./browser-push.tsx";
import { ChannelAddress } from "./channel-address.tsx";
import { type Channels, planHint, useChannels, useTest } from "./channels.ts";
import { MessageButton } from "./message-template.tsx";
import { TelegramChat } from "./telegram-chat.tsx";

type NotificationSettings = {
  telegramNotifications?: boolean;
  emailNotifications?: boolean;
  combineAlerts?: boolean;
};

/** How alerts reach the user: chat, mail and other channels; and the secret that signs triggers. */
export function Automations({ me }: { me: Me }) {
  const channels = useChannels();
  return (
    <Card title="BOT and Automations">
      <div className="grid grid-cols-1 gap-6 p-4">
        {channels.isPending && <Skeleton className="h-64" />}
        {channels.isError && (
          <Failed
            title="We couldn’t load the channels"
            action="Try again"
            onAction={() => void channels.refetch()}
          >
            {channels.error.message || "We couldn’t reach the server."}
          </Failed>
        )}
        {channels.data && <ChannelSettings me={me} channels={channels.data} />}
      </div>
    </Card>
  );
}

/** Explains what keeps alerts from the chat, the hardest to change first, or else where they go. */
function telegramHint({ available, included, chat }: Channels["telegram"]): string {
  if (!available) return "This installation has no Telegram bot, so alerts can’t be sent there.";
  if (!included) return `Not in your plan. ${planHint("telegram")}`;
  if (!chat) return "No chat is linked yet. Link one to get alerts there.";
  return `Alerts go to ${chat.label}.`;
}

function ChannelSettings({ me, channels }: { me: Me; channels: Channels }) {
  const refreshMe = useRefreshMe();
  const test = useTest("email");
  const change = useMutation({
    mutationFn: (body: NotificationSettings) => call("PATCH /api/settings/notifications", { body }),
    onSuccess: refreshMe,
    onError: (error) =>
      toast.error(error.message || "We couldn’t save the setting. The previous one is still in effect."),
  });
  // The requested state is shown immediately; if the call fails, the actual one returns.
  const requested = change.isPending ? change.variables : {};
  const { email } = channels;
  // Shows Discord and the channels that are set up; the others are collapsed to keep the page short.
  const isShown = (id: GivenChannelId) => id === "discord" || channels[id].webhook !== null;
  const others = givenChannelIds.filter((id) => !isShown(id));
  return (
    <>
      <TelegramChat me={me} telegram={channels.telegram} />
      <Switch
        label="Telegram notifications"
        hint={telegramHint(channels.telegram)}
        checked={
          channels.telegram.available && (requested.telegramNotifications ?? me.notifications.telegram)
        }
        disabled={!channels.telegram.available}
        onChange={(on) => change.mutate({ telegramNotifications: on })}
      />
      <div className="grid grid-cols-1 gap-2">
        <Switch
          label="Email notifications"
          hint={`Alerts go to ${email.address}. When off, you only get alerts that Telegram couldn’t deliver.`}
          checked={requested.emailNotifications ?? me.notifications.email}
          onChange={(on) => change.mutate({ emailNotifications: on })}
        />
        {email.failure && <output className="block text-sm text-removed">{email.failure}</output>}
        <div className="flex flex-wrap gap-2">
          <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
            Send me a test email
          </Button>
          <MessageButton channel="email" />
        </div>
      </div>
      <Switch
        label="Combine alerts about the same change"
        hint="When several pages change in the same way, for example after a deployment, the first one sends an alert. The others are added to that message in Telegram, Discord and Matrix. Other channels, such as email and Slack, can’t change a message, so they get one more after ten quiet minutes. Security findings always send their own alert."
        checked={requested.combineAlerts ?? me.notifications.combine}
        onChange={(on) => change.mutate({ combineAlerts: on })}
      />
      {givenChannelIds.filter(isShown).map((id) => (
        <ChannelAddress key={id} channel={id} state={channels[id]} />
      ))}
      {others.length > 0 && (
        <details className="grid gap-4">
          <summary className="w-fit max-w-full rounded-sm text-sm font-medium hover:text-ink">
            More channels: {others.map((id) => names[id].name).join(", ")}
          </summary>
          <div className="mt-4 grid grid-cols-1 gap-4">
            {others.map((id) => (
              <ChannelAddress key={id} channel={id} state={channels[id]} />
            ))}
          </div>
        </details>
      )}
      <BrowserPush push={channels.push} />
      <SigningSecret signing={channels.signing} />
    </>
  );
}
