import { openTunnel, type Tunnel, type TunnelOptions } from "./gateway/tunnel.ts";
import type { Guard, Log } from "./guard.ts";

export type { Tunnel, TunnelOptions };

/** The browser's only way to the network: an HTTP proxy with one tunnel per capture. */
export type Gateway = {
  openTunnel(options: TunnelOptions): Promise<Tunnel>;
  close(): Promise<void>;
};

export function startGateway(deps: { guard: Guard; logger?: Log }): Gateway {
  const tunnels = new Set<Tunnel>();
  return {
    async openTunnel(options) {
      const tunnel = await openTunnel({ ...deps, onClose: () => tunnels.delete(tunnel) }, options);
      tunnels.add(tunnel);
      return tunnel;
    },
    async close() {
      await Promise.all([...tunnels].map((tunnel) => tunnel.close()));
    },
  };
}
