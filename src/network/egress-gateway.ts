import { type Lane, type LaneOptions, openLane } from "./gateway/lane.ts";
import type { Guard, Log } from "./guard.ts";

export type { Lane, LaneOptions };

/** The browser's only way out: an HTTP proxy with one lane per capture. */
export type Gateway = {
  openLane(options: LaneOptions): Promise<Lane>;
  close(): Promise<void>;
};

export function startGateway(deps: { guard: Guard; logger?: Log }): Gateway {
  const lanes = new Set<Lane>();
  return {
    async openLane(options) {
      const lane = await openLane({ ...deps, onClose: () => lanes.delete(lane) }, options);
      lanes.add(lane);
      return lane;
    },
    async close() {
      await Promise.all([...lanes].map((lane) => lane.close()));
    },
  };
}
