import type { Socket } from "node:net";
import { Pool } from "undici";
import { FailureError } from "../failure.ts";
import type { Target } from "../guard.ts";
import { dial, secure } from "./dial.ts";

export type TlsInfo = { issuer: string; expiresAt: string };

/** The open connections to one host at its checked addresses. */
export type HostPool = {
  pool: Pool;
  tls: TlsInfo | null;
  /** The newest connection that no request has claimed the cost of yet. */
  newest: { startedAt: number; connectMs: number; tlsMs: number | null } | null;
};

export type Pools = { poolFor(target: Target): HostPool; close(): Promise<void> };

export const maxHeaderBytes = 32 * 1024;

/** Keeps connections alive per host and checked address, so that a new answer never meets an old socket. */
export function createPools(connectMs: number): Pools {
  const pools = new Map<string, HostPool>();

  function open(key: string, target: Target): HostPool {
    const pool = new Pool(target.url.origin, {
      allowH2: false,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => {
        connectTo(host, target, connectMs).then(
          (socket) => done(null, tellReset(socket)),
          (error) => done(error, null),
        );
      },
    });
    const host: HostPool = { pool, tls: null, newest: null };
    const dropIfIdle = () => {
      if (pool.stats.connected > 0 || pool.stats.size > 0 || pools.get(key) !== host) return;
      pools.delete(key);
      void pool.close();
    };
    pool.on("disconnect", dropIfIdle);
    pool.on("connectionError", dropIfIdle);
    pools.set(key, host);
    return host;
  }

  return {
    poolFor(target) {
      const addresses = target.addresses.map((address) => address.text).sort();
      const key = `${target.url.origin} ${addresses.join(" ")}`;
      return pools.get(key) ?? open(key, target);
    },
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}

/** undici takes a reset for the end of a body that has no length; under another code it is the failure that it is. */
function tellReset<S extends Socket>(socket: S): S {
  return socket.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNRESET") error.code = "ECONNABORTED";
  });
}

async function connectTo(host: HostPool, target: Target, limitMs: number) {
  const { socket, startedAt, ms } = await dial(target, limitMs);
  if (target.url.protocol === "http:") {
    host.newest = { startedAt, connectMs: ms, tlsMs: null };
    return socket;
  }
  const secured = await secure(target, socket, Math.max(1, limitMs - ms));
  const { issuer, valid_to } = secured.socket.getPeerCertificate();
  const expiresAt = new Date(valid_to);
  if (Number.isNaN(expiresAt.getTime())) throw new FailureError("tls");
  host.tls = {
    // As the browser names it, so that a site has one issuer whoever asks.
    issuer: [issuer.CN ?? issuer.O ?? ""].flat()[0] ?? "",
    expiresAt: expiresAt.toISOString(),
  };
  host.newest = { startedAt, connectMs: ms, tlsMs: secured.ms };
  return secured.socket;
}
