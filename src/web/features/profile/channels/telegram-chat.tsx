import { call } from "#web/api/call.ts";
import { type Me, useRefreshMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Field } from "#web/ui/field.tsx";
import { type Channels, useChannelAction, useRemove, useTest } from "./channels.ts";
import { Linked } from "./linked.tsx";
import { MessageButton } from "./message-template.tsx";

/** The linked chat, or how to link one. */
export function TelegramChat({ me, telegram }: { me: Me; telegram: Channels["telegram"] }) {
  const refreshMe = useRefreshMe();
  const test = useTest("telegram");
  const unlink = useRemove("telegram");
  const renew = useChannelAction(async () => {
    const answer = await call("POST /api/me/bot-token");
    await refreshMe();
    return answer;
  });
  const token = me.UserBotToken[0]?.telegramPrivateToken ?? "";
  const { bot, chat } = telegram;
  return (
    <div className="grid gap-4">
      {chat && (
        <Linked title={`Telegram chat ${chat.label}`} since={chat.since} failure={chat.failure}>
          <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
            Send me a test
          </Button>
          <MessageButton channel="telegram" />
          <Button size="sm" busy={unlink.isPending} onClick={() => unlink.mutate()}>
            Unlink
          </Button>
        </Linked>
      )}
      <details open={!chat} className="rounded-control bg-sunken p-4">
        <summary className="rounded-sm font-medium">
          How to link {chat ? "another" : "your"} Telegram chat
        </summary>
        <ol className="mt-3 grid list-decimal gap-1 ps-5 text-muted">
          <li>
            Open a chat with{" "}
            {bot ? (
              <a
                href={`https://t.me/${bot}`}
                target="_blank"
                rel="noopener noreferrer"
                className="text-accent-text underline underline-offset-2"
              >
                @{bot}
              </a>
            ) : (
              "the Watchglass bot"
            )}{" "}
            in Telegram.
          </li>
          <li>
            Send it the command <code className="font-mono text-ink">/addtoken</code> followed by your bot
            token.
          </li>
          <li>The bot replies, and your alerts go to that chat from then on.</li>
        </ol>
      </details>
      <Field
        label="Bot token"
        hint="Anyone who has it can link a chat to your account. It works once and is then replaced."
        value={token}
        readOnly
        mono
        after={
          <span className="flex items-center gap-1">
            <CopyButton value={`/addtoken ${token}`} label="Copy the command with the token" />
            <Button size="sm" look="ghost" busy={renew.isPending} onClick={() => renew.mutate()}>
              Renew
            </Button>
          </span>
        }
      />
    </div>
  );
}
