import { type ChannelId, channelIds, channels, hasChannel } from "#channels/channel-list.ts";
import type { Plan } from "#plans/plans.ts";
import type { JobFields } from "./fields.ts";

type ChannelChoiceProps = {
  fields: JobFields;
  plan: Plan;
  put: (part: Partial<JobFields>) => void;
  /** The channels that the job inherits from its group. */
  inherited?: ChannelId[] | null;
};

/** Selects the channels that alerts go to; none selected means the group's, or all. */
export function ChannelChoice({ fields, plan, put, inherited = null }: ChannelChoiceProps) {
  const { channels: chosen } = fields;
  const toggle = (id: ChannelId) =>
    put({ channels: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="sr-only">Alerts go to</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-2 text-sm">
        {channelIds
          .filter((id) => hasChannel(plan, id) || chosen.includes(id))
          .map((id) => (
            <label key={id} className="flex items-center gap-1.5">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={() => toggle(id)}
                className="size-4 accent-accent-text"
              />
              {channels[id].name}
            </label>
          ))}
      </div>
      <p className="text-sm text-muted">
        If none is selected or available, alerts use{" "}
        {inherited ? `the group’s channels: ${channelsNote({ channels: inherited })}` : "all your channels"}.
      </p>
    </fieldset>
  );
}

export function channelsNote({ channels: chosen }: Pick<JobFields, "channels">): string {
  return chosen.length === 0 ? "all channels" : chosen.map((id) => channels[id].name).join(", ");
}
