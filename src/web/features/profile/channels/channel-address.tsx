import { useState } from "react";
import { channels, type GivenChannelId, placeOf } from "#channels/channel-list.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { useSubmit } from "#web/ui/use-submit.ts";
import { type Channels, planHint, useChannelAction, useRemove, useTest } from "./channels.ts";
import { Linked } from "./linked.tsx";
import { MessageButton } from "./message-template.tsx";

type Props = { channel: GivenChannelId; state: Channels[GivenChannelId] };
type Given = {
  noun: string;
  example: string;
  hint: string;
  also?: Partial<Record<"room" | "token", { label: string; example: string; hint: string }>>;
};
type AddressInput = { url: string; room?: string; token?: string };

/** The address that a channel's alerts go to, or a form to enter one. */
export function ChannelAddress({ channel, state }: Props) {
  const { name } = channels[channel];
  const given: Given = channels[channel].given;
  const [input, setInput] = useState<AddressInput>({ url: "" });
  const test = useTest(channel);
  const remove = useRemove(channel);
  const save = useChannelAction((body: AddressInput) =>
    call("PUT /api/me/channels/:channel", { params: { channel }, body }),
  );
  const { busy, submit } = useSubmit(async () => {
    await save.mutateAsync(input).then(
      () => setInput({ url: "" }),
      () => undefined,
    );
  });
  const { webhook, included } = state;
  if (webhook) {
    return (
      <Linked title={`${placeOf(channel)} ${webhook.label}`} since={webhook.since} failure={webhook.failure}>
        <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
          Send me a test
        </Button>
        <MessageButton channel={channel} />
        <Button size="sm" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </Linked>
    );
  }
  const change = (part: Partial<AddressInput>) => {
    setInput({ ...input, ...part });
    save.reset();
  };
  // Further fields appear once an address is entered, to keep the page short.
  const hasUrl = input.url.trim() !== "";
  return (
    <form onSubmit={submit} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <Field
          label={`${name} ${given.noun}`}
          mono
          inputMode="url"
          placeholder={given.example}
          value={input.url}
          disabled={!included}
          onChange={(event) => change({ url: event.target.value })}
          error={save.error?.message}
          hint={included ? given.hint : planHint(channel)}
          autoComplete="off"
          spellCheck={false}
          className="min-w-60 flex-1"
        />
        <Button type="submit" look="primary" busy={busy} disabled={!included || !hasUrl} className="mt-6.5">
          Save
        </Button>
      </div>
      {hasUrl && given.also && (
        <div className="grid grid-cols-1 gap-3 border-s-2 border-line ps-3">
          {(["room", "token"] as const).map((part) => {
            const field = given.also?.[part];
            return (
              field && (
                <Field
                  key={part}
                  label={field.label}
                  mono
                  placeholder={field.example}
                  hint={field.hint}
                  value={input[part] ?? ""}
                  onChange={(event) => change({ [part]: event.target.value })}
                  autoComplete="off"
                  spellCheck={false}
                />
              )
            );
          })}
        </div>
      )}
    </form>
  );
}
