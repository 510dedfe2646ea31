import { connect as connectTcp, type LookupFunction, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { isSameAddress, parseAddress } from "../address-rules/address.ts";
import { FailureError } from "../failure.ts";
import type { Target } from "../guard.ts";

export type Dialed<S extends Socket = Socket> = { socket: S; startedAt: number; ms: number };

// Long enough for a far address, short enough that a dead IPv6 route leaves time for IPv4.
const attemptMs = 1_500;

/** Connects to one of the target's checked addresses, and verifies the address of the peer (E6). */
export function dial(target: Target, limitMs: number): Promise<Dialed> {
  const startedAt = performance.now();
  // Only a proxy may look up a name that we didn't.
  if (target.addresses.length === 0) return Promise.reject(new FailureError("guard"));
  return new Promise((resolve, reject) => {
    const socket = connectTcp({
      ...route(target),
      port: target.port,
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
    });
    const timer = setTimeout(() => fail(new FailureError("timeout")), limitMs);
    function fail(error: Error) {
      clearTimeout(timer);
      socket.destroy();
      reject(error instanceof FailureError ? error : new FailureError(kindOf(error), error));
    }
    socket.once("error", fail);
    socket.once("connect", () => {
      // A connection that was reset immediately has no peer anymore.
      if (socket.remoteAddress === undefined) return fail(new FailureError("refused"));
      if (!isCheckedPeer(target, socket.remoteAddress, socket.remotePort)) {
        return fail(new FailureError("guard"));
      }
      clearTimeout(timer);
      socket.off("error", fail);
      resolve({ socket, startedAt, ms: performance.now() - startedAt });
    });
  });
}

/** Starts TLS on a connected socket; name and certificate must be the URL's, whatever the address. */
export function secure(target: Target, socket: Socket, limitMs: number): Promise<Dialed<TLSSocket>> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const isLiteral = parseAddress(target.hostname) !== null;
    const tls = connectTls({
      socket,
      host: target.hostname,
      servername: isLiteral ? "" : target.hostname,
      ALPNProtocols: ["http/1.1"],
    });
    const timer = setTimeout(() => fail(new FailureError("timeout")), limitMs);
    function fail(error: Error) {
      clearTimeout(timer);
      tls.destroy();
      socket.destroy();
      reject(error instanceof FailureError ? error : new FailureError(tlsKindOf(error), error));
    }
    tls.once("error", fail);
    tls.once("secureConnect", () => {
      clearTimeout(timer);
      tls.off("error", fail);
      resolve({ socket: tls, startedAt, ms: performance.now() - startedAt });
    });
  });
}

/** Whether a connected socket's other end is an address the guard checked for this target. */
export function isCheckedPeer(
  target: Target,
  address: string | undefined,
  port: number | undefined,
): boolean {
  const peer = parseAddress(address ?? "");
  return (
    peer !== null && port === target.port && target.addresses.some((checked) => isSameAddress(checked, peer))
  );
}

function route(target: Target) {
  const [first, ...others] = target.addresses;
  if (others.length === 0) return { host: first?.text ?? "" };
  const answers = target.addresses.map(({ text, family }) => ({ address: text, family }));
  const lookup: LookupFunction = (_name, _options, done) => done(null, answers);
  return { host: target.hostname, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs };
}

function kindOf(error: Error) {
  return codeOf(error) === "ETIMEDOUT" ? "timeout" : "refused";
}

function tlsKindOf(error: Error) {
  return codeOf(error) === "ECONNRESET" ? "refused" : "tls";
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}
