import type { Socket } from "node:net";
import { Pool } from "undici";
import { FailureError } from "../failure.ts";
import type { Target } from "../guard.ts";
import { dial, secure } from "./dial.ts";
import { dialThroughProxy } from "./dial-through-proxy.ts";
import type { Via } from "./open-via.ts";

export type TlsInfo = { issuer: string; expiresAt: string };

/** The open connections to one host at its checked addresses. */
export type HostPool = {
  pool: Pool;
  tls: TlsInfo | null;
  /** The newest connection, if no request has reported its connect time yet. */
  newest: { startedAt: number; connectMs: number; tlsMs: number | null } | null;
};

export type Pools = { poolFor(target: Target, via?: Via): HostPool; close(): Promise<void> };

export const maxHeaderBytes = 32 * 1024;

/** Pools connections by origin, checked addresses and proxy, so that a new DNS answer never uses an old socket. */
export function createPools(connectMs: number): Pools {
  const pools = new Map<string, HostPool>();

  function open(key: string, target: Target, via: Via | undefined): HostPool {
    const pool = new Pool(target.url.origin, {
      allowH2: false,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => {
        connectTo(host, target, connectMs, via).then(
          (socket) => done(null, failOnReset(socket)),
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
    poolFor(target, via) {
      const key = JSON.stringify([target.url.origin, addressesOf(target), ...(via ? [keyOf(via)] : [])]);
      return pools.get(key) ?? open(key, target, via);
    },
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    },
  };
}

const addressesOf = ({ addresses }: Target) => addresses.map((address) => address.text).sort();
const keyOf = ({ proxy, target, nonce }: Via) => [proxy, addressesOf(target), nonce];

/** undici treats a reset as the end of a body without length; with another error code it becomes a failure. */
function failOnReset<S extends Socket>(socket: S): S {
  return socket.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNRESET") error.code = "ECONNABORTED";
  });
}

async function connectTo(host: HostPool, target: Target, limitMs: number, via: Via | undefined) {
  const { socket, startedAt, ms } = await (via
    ? dialThroughProxy(via, target, limitMs)
    : dial(target, limitMs));
  if (target.url.protocol === "http:") {
    host.newest = { startedAt, connectMs: ms, tlsMs: null };
    return socket;
  }
  const secured = await secure(target, socket, Math.max(1, limitMs - ms));
  const { issuer, valid_to } = secured.socket.getPeerCertificate();
  const expiresAt = new Date(valid_to);
  if (Number.isNaN(expiresAt.getTime())) throw new FailureError("tls");
  host.tls = {
    // Named as the browser does, so that a site has the same issuer by HTTP and by browser.
    issuer: [issuer.CN ?? issuer.O ?? ""].flat()[0] ?? "",
    expiresAt: expiresAt.toISOString(),
  };
  host.newest = { startedAt, connectMs: ms, tlsMs: secured.ms };
  return secured.socket;
}
