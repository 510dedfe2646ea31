import type { Channels } from "#delivery/open-channels.ts";
import type { Deps } from "./deps.ts";

/** What telling people of an event needs. */
export type DeliveryDeps = Pick<Deps, "db" | "queue" | "secrets" | "blobs"> & {
  channels: Channels;
  baseUrl: string;
};
