import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";

// A proxy as a process of its own, started by `start-proxy.ts`. Its settings come as JSON in the first argument; it
// writes its port, and then one line for each connection it is asked for.

export type ProxySettings = {
  protocol: "http" | "https" | "socks5";
  credentials?: { username: string; password: string };
  /** Names that the proxy looks up itself. */
  names?: Record<string, string>;
  tls?: { key: string; cert: string };
};

const settings = JSON.parse(process.argv[2] ?? "{}") as ProxySettings;
const { credentials, names = {} } = settings;
const say = (line: string) => void process.stdout.write(`${line}\n`);

function reach(host: string, port: number): Promise<Socket> {
  say(`${host}:${port}`);
  const socket = connect(port, names[host] ?? host);
  return once(socket, "connect").then(() => socket);
}

function join(client: Duplex, upstream: Socket): void {
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.on("error", () => to.destroy());
    from.pipe(to);
  }
}

async function onConnect(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
  client.on("error", () => {});
  const given = request.headers["proxy-authorization"];
  const wanted = credentials
    ? `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`
    : undefined;
  const end = (status: number) => client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
  if (given !== wanted) return void end(407);
  const { hostname, port } = new URL(`http://${request.url}`);
  try {
    const upstream = await reach(hostname.replace(/^\[|\]$/g, ""), Number(port || 80));
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    join(client, upstream);
  } catch {
    end(502);
  }
}

/** Reads exactly so many bytes. */
async function take(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes) return bytes;
    await once(socket, "readable");
  }
}

async function onSocks(socket: Socket): Promise<void> {
  socket.on("error", () => {});
  const [, methods = 0] = await take(socket, 2);
  const offered = [...(await take(socket, methods))];
  const method = credentials ? 2 : 0;
  if (!offered.includes(method)) return void socket.end(Buffer.of(5, 255));
  socket.write(Buffer.of(5, method));
  if (credentials) {
    const [, nameLength = 0] = await take(socket, 2);
    const name = (await take(socket, nameLength)).toString();
    const [passwordLength = 0] = await take(socket, 1);
    const password = (await take(socket, passwordLength)).toString();
    const isRight = name === credentials.username && password === credentials.password;
    socket.write(Buffer.of(1, isRight ? 0 : 1));
    if (!isRight) return void socket.end();
  }
  const [, , , type] = await take(socket, 4);
  const length = type === 1 ? 4 : type === 4 ? 16 : ((await take(socket, 1))[0] ?? 0);
  const address = await take(socket, length);
  const port = (await take(socket, 2)).readUInt16BE();
  const reply = (code: number) => Buffer.of(5, code, 0, 1, 0, 0, 0, 0, 0, 0);
  try {
    const upstream = await reach(type === 3 ? address.toString() : address.join("."), port);
    socket.write(reply(0));
    join(socket, upstream);
  } catch {
    socket.end(reply(5));
  }
}

function open(): Server {
  if (settings.protocol === "socks5")
    return createTcpServer((socket) => void onSocks(socket).catch(() => {}));
  const server = settings.tls ? createHttpsServer(settings.tls) : createHttpServer();
  return server.on("connect", (request, client, head) => void onConnect(request, client, head));
}

const server = open().listen(0, "127.0.0.1", () => say(String((server.address() as AddressInfo).port)));
