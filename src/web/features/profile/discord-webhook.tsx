import { useState } from "react";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import { type Channels, useChannelAction, useTest } from "./channels.ts";
import { Linked } from "./linked.tsx";

/** The Discord webhook that alerts go to, or a place to put one in. */
export function DiscordWebhook({ discord }: { discord: Channels["discord"] }) {
  const [url, setUrl] = useState("");
  const test = useTest("discord");
  const remove = useChannelAction(() => call("DELETE /api/me/channels/discord"));
  const save = useChannelAction((wanted: string) =>
    call("PUT /api/me/channels/discord", { body: { url: wanted } }),
  );
  const { busy, submit } = useSubmit(async () => {
    await save.mutateAsync(url).then(
      () => setUrl(""),
      () => undefined,
    );
  });
  const { webhook, included } = discord;
  if (webhook) {
    return (
      <Linked title={`Discord webhook ${webhook.label}`} since={webhook.since} failure={webhook.failure}>
        <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
          Send me a test
        </Button>
        <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </Linked>
    );
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <Field
        label="Discord webhook"
        mono
        inputMode="url"
        placeholder="https://discord.com/api/webhooks/…"
        value={url}
        disabled={!included}
        onChange={(event) => {
          setUrl(event.target.value);
          save.reset();
        }}
        error={save.error?.message}
        hint={
          included
            ? "In Discord: channel settings, Integrations, Webhooks, Copy Webhook URL."
            : "Discord alerts are part of the Professional and Ultimate plans."
        }
        autoComplete="off"
        spellCheck={false}
        className="min-w-60 flex-1"
      />
      <Button
        type="submit"
        look="primary"
        busy={busy}
        disabled={!included || url.trim() === ""}
        className="mt-6.5"
      >
        Save
      </Button>
    </form>
  );
}
