import { useState } from "react";
import { channels, type GivenChannelId } from "#contract/channels.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import { type Channels, planHint, useChannelAction, useRemove, useTest } from "./channels.ts";
import { Linked } from "./linked.tsx";

type Props = { channel: GivenChannelId; state: Channels[GivenChannelId] };

/** The address that a channel's alerts go to, or a place to put one in. */
export function ChannelAddress({ channel, state }: Props) {
  const { name, given } = channels[channel];
  const [url, setUrl] = useState("");
  const test = useTest(channel);
  const remove = useRemove(channel);
  const save = useChannelAction((wanted: string) =>
    call("PUT /api/me/channels/:channel", { params: { channel }, body: { url: wanted } }),
  );
  const { busy, submit } = useSubmit(async () => {
    await save.mutateAsync(url).then(
      () => setUrl(""),
      () => undefined,
    );
  });
  const { webhook, included } = state;
  if (webhook) {
    return (
      <Linked
        title={`${name} ${given.noun} ${webhook.label}`}
        since={webhook.since}
        failure={webhook.failure}
      >
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
        label={`${name} ${given.noun}`}
        mono
        inputMode="url"
        placeholder={given.example}
        value={url}
        disabled={!included}
        onChange={(event) => {
          setUrl(event.target.value);
          save.reset();
        }}
        error={save.error?.message}
        hint={included ? given.hint : planHint(channel)}
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
