import type { Deps as CheckDeps } from "#checks/deps.ts";
import type { Channels } from "#delivery/open-channels.ts";

/** What telling people of an event needs. */
export type Deps = CheckDeps & {
  channels: Channels;
  baseUrl: string;
};
