import type { ChannelId } from "#channels/channel-list.ts";
import type { Channels } from "#channels/open-channels.ts";
import type { Deps as CheckDeps } from "#checks/deps.ts";
import type { Deps as JobDeps } from "#jobs/deps.ts";

/** Dependencies for sending notifications. */
export type Deps = CheckDeps &
  Pick<JobDeps, "refuseTarget"> & {
    channels: Channels;
    /** The same channels without our own rate limits, for test alerts that the user asks for one at a time. */
    testChannels: Channels;
    baseUrl: string;
    /** Called with the result of each attempt to send. */
    observe?: (channel: ChannelId | "trigger", result: "sent" | "delayed" | "failed") => void;
  };
