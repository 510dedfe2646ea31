import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { type ChannelId, channelIds, channels, hasChannel } from "#channels/channel-list.ts";
import { planById } from "#plans/plans.ts";
import { call, type ReplyOf } from "#web/api/call.ts";
import type { Me } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Select } from "#web/ui/select.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";

type Pace = NonNullable<ReplyOf<"GET /api/me/paces">["paces"][ChannelId]>;

const deliveryOptions: { value: Pace["notice"]; label: string }[] = [
  { value: "at-once", label: "immediately" },
  { value: "hourly", label: "hourly digest" },
  { value: "daily", label: "daily digest" },
];
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, "0")}:00`,
}));
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

/** The delivery schedule of each channel: how soon it sends which alerts, and its quiet hours. */
export function Paces({ me }: { me: Me }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["paces"],
    queryFn: ({ signal }) => call("GET /api/me/paces", undefined, { signal }),
  });
  const plan = planById(me.planId);
  return (
    <Card title="Quiet hours and digests">
      <div className="grid grid-cols-1 gap-6 p-4">
        <p className="text-sm text-muted">
          Critical changes are always sent immediately. Digests list the most severe changes first. Triggers
          fire immediately.
        </p>
        {error && !data && (
          <Failed title="We couldn’t load the settings" action="Try again" onAction={() => void refetch()}>
            {error.message || "We couldn’t reach the server."}
          </Failed>
        )}
        {!data && !error && <Skeleton className="h-40" />}
        {data &&
          channelIds
            .filter((id) => hasChannel(plan, id))
            .map((id) => <ChannelPace key={id} channel={id} stored={data.paces[id]} />)}
      </div>
    </Card>
  );
}

function ChannelPace({ channel, stored }: { channel: ChannelId; stored: Pace | undefined }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Pace>(
    () => stored ?? { important: "at-once", notice: "at-once", dailyAt: 8, quiet: null, zone: ownZone() },
  );
  const [isTouched, setTouched] = useState(false);
  const save = useMutation({
    mutationFn: (body: Pace) => call("PUT /api/me/channels/:channel/pace", { params: { channel }, body }),
    onSuccess: async ({ message }) => {
      setTouched(false);
      toast.success(message);
      await client.invalidateQueries({ queryKey: ["paces"] });
    },
  });
  const put = (part: Partial<Pace>) => {
    setDraft({ ...draft, ...part });
    setTouched(true);
    save.reset();
  };
  const { quiet } = draft;
  const isDaily = draft.important === "daily" || draft.notice === "daily";
  const isTimed = isDaily || quiet !== null;
  const { name } = channels[channel];
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-2 font-medium">{name}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="Important changes"
          value={draft.important}
          onChange={(value) => put({ important: value as Pace["important"] })}
          options={deliveryOptions}
        />
        <Select
          label="Everything else"
          value={draft.notice}
          onChange={(value) => put({ notice: value as Pace["notice"] })}
          options={deliveryOptions}
        />
        {isDaily && (
          <Select
            label="Daily digest at"
            value={String(draft.dailyAt)}
            onChange={(value) => put({ dailyAt: Number(value) })}
            options={hours}
          />
        )}
      </div>
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={quiet !== null}
          onChange={(event) => put({ quiet: event.target.checked ? { from: 22, to: 7 } : null })}
          className="size-4 accent-accent-text"
        />
        Quiet hours
      </label>
      {(quiet || isTimed) && (
        <div className="grid gap-3 sm:grid-cols-2">
          {quiet && (
            <div className="grid grid-cols-2 gap-3">
              <Select
                label="From"
                value={String(quiet.from)}
                onChange={(value) => put({ quiet: { ...quiet, from: Number(value) } })}
                options={hours}
              />
              <Select
                label="To"
                value={String(quiet.to)}
                onChange={(value) => put({ quiet: { ...quiet, to: Number(value) } })}
                options={hours}
                error={save.error?.message}
              />
            </div>
          )}
          <Select
            label="Time zone"
            value={draft.zone}
            onChange={(zone) => put({ zone })}
            options={(zones.includes(draft.zone) ? zones : [draft.zone, ...zones]).map((value) => ({
              value,
              label: value.replaceAll("_", " "),
            }))}
          />
        </div>
      )}
      {save.error && !quiet && (
        <p role="alert" className="text-sm text-removed">
          {save.error.message || "We couldn’t save the setting. The previous one is still in effect."}
        </p>
      )}
      <Button
        size="sm"
        className="justify-self-start"
        look={isTouched ? "primary" : "secondary"}
        disabled={!isTouched}
        busy={save.isPending}
        aria-label={`Save for ${name}`}
        onClick={() => save.mutate(draft)}
      >
        Save
      </Button>
    </fieldset>
  );
}
