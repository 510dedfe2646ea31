import { isIPv6, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import type { Address } from "../address-rules/address.ts";
import { FailureError } from "../failure.ts";
import type { Target } from "../guard.ts";
import type { ProxyProblem } from "../proxy.ts";
import { type Dialed, dial, secure } from "./dial.ts";
import { proxyFailure, type Via } from "./open-via.ts";

/**
 * Connects to the target through a proxy. From then on the socket is used as if it led to the target directly: TLS and
 * certificates are the site's own. The proxy is asked for a checked address, or for the name if it looks up names.
 */
export async function dialThroughProxy(via: Via, target: Target, limitMs: number): Promise<Dialed> {
  const startedAt = performance.now();
  const remainingMs = () => Math.max(1, limitMs - (performance.now() - startedAt));
  const { proxy } = via;
  let socket: Socket | undefined;
  try {
    socket = (await dial(via.target, remainingMs())).socket;
    if (proxy.protocol === "https") socket = (await secure(via.target, socket, remainingMs())).socket;
  } catch (error) {
    throw proxyFailure(error instanceof FailureError ? asProblem(error) : "refused", error);
  }
  const opened = socket;
  // An error after the handshake reaches whoever uses the socket then.
  const ignore = () => {};
  opened.on("error", ignore);
  const timer = setTimeout(() => opened.destroy(proxyFailure("unanswered")), remainingMs());
  try {
    if (proxy.protocol === "socks5") await openBySocks(opened, via, target);
    else await openByConnect(opened, via, target);
    return { socket: opened, startedAt, ms: performance.now() - startedAt };
  } catch (error) {
    opened.destroy();
    throw error instanceof FailureError ? error : proxyFailure("unanswered", error);
  } finally {
    clearTimeout(timer);
    opened.off("error", ignore);
    if (opened.destroyed) opened.on("error", ignore);
  }
}

function asProblem({ failure }: FailureError): ProxyProblem {
  const { kind } = failure;
  return kind === "timeout" || kind === "tls" || kind === "guard" ? kind : "refused";
}

/** Many proxies have no IPv6, so that an IPv4 address is preferred. */
function addressOf({ addresses }: Target): Address | undefined {
  return addresses.find(({ family }) => family === 4) ?? addresses[0];
}

// A status line and some headers; a proxy that sends more isn't one.
const maxHead = 16 * 1024;

/** HTTP's CONNECT, for plain http too: a proxy that got whole requests would look up the name itself. */
async function openByConnect(socket: Socket, { proxy }: Via, target: Target): Promise<void> {
  const host = addressOf(target)?.text ?? target.hostname;
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${target.port}`;
  const { credentials } = proxy;
  const secret =
    credentials && Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
  const authorization = secret ? `Proxy-Authorization: Basic ${secret}\r\n` : "";
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  const head = await read(socket, (bytes) => {
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0 && bytes.length > maxHead) throw proxyFailure("protocol");
    return end < 0 ? null : end + 4;
  });
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(head.toString("latin1"))?.[1]);
  if (status >= 200 && status < 300) return;
  if (status === 407) throw proxyFailure("credentials");
  // Squid answers 503 where other proxies answer 502 for a site that refuses the connection.
  if (status === 502 || status === 503) throw new FailureError("refused");
  if (status === 504) throw new FailureError("timeout");
  throw proxyFailure(status >= 400 ? "denied" : "protocol");
}

const socks = { version: 5, noAuthentication: 0, password: 2, connect: 1, ipv4: 1, name: 3, ipv6: 4 };

/** SOCKS5 (RFC 1928) with or without a password (RFC 1929). */
async function openBySocks(socket: Socket, { proxy }: Via, target: Target): Promise<void> {
  const { credentials } = proxy;
  const methods = credentials ? [socks.noAuthentication, socks.password] : [socks.noAuthentication];
  socket.write(Buffer.of(socks.version, methods.length, ...methods));
  const [version, method = 255] = await read(socket, exactly(2));
  if (version !== socks.version) throw proxyFailure("protocol");
  if (method === socks.password && credentials) {
    const [name, password] = [Buffer.from(credentials.username), Buffer.from(credentials.password)];
    socket.write(Buffer.concat([Buffer.of(1, name.length), name, Buffer.of(password.length), password]));
    const [, status] = await read(socket, exactly(2));
    if (status !== 0) throw proxyFailure("credentials");
  } else if (method !== socks.noAuthentication) throw proxyFailure("credentials");
  const port = Buffer.alloc(2);
  port.writeUInt16BE(target.port);
  socket.write(Buffer.concat([Buffer.of(socks.version, socks.connect, 0), destinationOf(target), port]));
  const reply = await read(socket, (bytes) => {
    if (bytes.length < 5) return null;
    if (bytes[0] !== socks.version) throw proxyFailure("protocol");
    const length = { [socks.ipv4]: 4, [socks.ipv6]: 16, [socks.name]: 1 + (bytes[4] ?? 0) }[bytes[3] ?? 0];
    // After a refusal some proxies send no proper address, and nothing follows that would be read.
    if (bytes[1] !== 0) return bytes.length;
    if (length === undefined) throw proxyFailure("protocol");
    return bytes.length < 6 + length ? null : 6 + length;
  });
  judgeReply(reply[1] ?? 1);
}

function destinationOf(target: Target): Buffer {
  const address = addressOf(target);
  if (!address) {
    const name = Buffer.from(target.hostname);
    return Buffer.concat([Buffer.of(socks.name, name.length), name]);
  }
  const bytes = Buffer.from(address.ip.toByteArray());
  return Buffer.concat([Buffer.of(bytes.length === 4 ? socks.ipv4 : socks.ipv6), bytes]);
}

/** Network, host and connection errors are the site's; everything else is the proxy's. */
function judgeReply(reply: number): void {
  if (reply === 0) return;
  if (reply >= 3 && reply <= 5) throw new FailureError("refused");
  if (reply === 6) throw new FailureError("timeout");
  throw proxyFailure(reply <= 2 ? "denied" : "protocol");
}

const exactly = (count: number) => (bytes: Buffer) => (bytes.length < count ? null : count);

/** Reads as many bytes as `measure` says, which answers null until they are there; the rest stays in the socket. */
function read(socket: Socket, measure: (bytes: Buffer) => number | null): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const settle = (work: () => void) => {
      socket.off("readable", onReadable);
      socket.off("end", onEnd);
      socket.off("close", onEnd);
      work();
    };
    const onEnd = () => settle(() => reject(socket.errored ?? proxyFailure("unanswered")));
    function onReadable() {
      for (let chunk: Buffer | null = socket.read(); chunk; chunk = socket.read())
        bytes = Buffer.concat([bytes, chunk]);
      try {
        const length = measure(bytes);
        if (length === null) return;
        settle(() => {
          if (bytes.length > length) socket.unshift(bytes.subarray(length));
          resolve(bytes.subarray(0, length));
        });
      } catch (error) {
        settle(() => reject(error));
      }
    }
    if (socket.destroyed) return onEnd();
    socket.on("readable", onReadable);
    socket.on("end", onEnd);
    socket.on("close", onEnd);
  });
}
