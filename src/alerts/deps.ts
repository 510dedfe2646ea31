import type { Deps as CheckDeps } from "#checks/deps.ts";
import type { ChannelId } from "#contract/channels.ts";
import type { Channels } from "#delivery/open-channels.ts";
import type { Deps as JobDeps } from "#jobs/deps.ts";

/** What telling people of an event needs. */
export type Deps = CheckDeps &
  Pick<JobDeps, "refuseTarget"> & {
    channels: Channels;
    baseUrl: string;
    /** Hears of each attempt to tell somebody. */
    observe?: (channel: ChannelId | "trigger", result: "sent" | "delayed" | "failed") => void;
  };
