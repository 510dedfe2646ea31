import { type IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import { AppError } from "#contract/errors.ts";
import { liveProtocol } from "#contract/live-view.ts";
import type { Config } from "../config.ts";

type Socket = IncomingMessage["socket"];
type Upgrade = { sockets: WebSocketServer; socket: Socket; head: Buffer; response: ServerResponse };

const maxMessageBytes = 32 * 1024;
const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Only live views are WebSockets; any other request that asks for one is answered as if it didn't. */
export const isLiveSocket = ({ url = "", headers }: IncomingMessage) =>
  headers.upgrade?.toLowerCase() === "websocket" && url.startsWith("/api/live-views/");

/** Lets requests for a WebSocket pass the same hooks as all calls, before their handler accepts them. */
export function acceptSockets(server: FastifyInstance): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(liveProtocol) ? liveProtocol : false),
  });
  server.server.on("upgrade", (request, socket: Socket, head) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Nothing else closes a connection that the server has given away, and its other end may never do.
    response.once("finish", () => socket.destroySoon());
    socket.on("error", () => socket.destroy());
    upgrades.set(request, { sockets, socket, head, response });
    server.routing(request, response);
  });
  server.addHook("preClose", async () => {
    for (const client of sockets.clients) client.terminate();
  });
}

/** The protocols that a request for a WebSocket offers. Refuses other requests, and those of other sites' pages. */
export function protocolsOf(
  { raw, headers, host }: FastifyRequest,
  { baseUrl }: Pick<Config, "baseUrl">,
): string[] {
  if (!upgrades.has(raw)) throw new AppError("INVALID_INPUT", "Open this address with a WebSocket.");
  const origin = URL.parse(headers.origin ?? "");
  // A page of the host that was asked is ours, because only hosts of ours get this far.
  const isOurs = origin?.origin === new URL(baseUrl).origin || origin?.host === host;
  if (!isOurs) throw new AppError("FORBIDDEN_ORIGIN");
  return (headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
}

/** Makes a request the WebSocket that it asks for. */
export function openSocket(request: FastifyRequest, reply: FastifyReply): Promise<WebSocket> {
  const upgrade = upgrades.get(request.raw);
  if (!upgrade) throw new AppError("INVALID_INPUT", "Open this address with a WebSocket.");
  const { sockets, socket, head, response } = upgrade;
  reply.hijack();
  response.detachSocket(socket);
  request.slot?.leave();
  return new Promise((resolve) => {
    sockets.handleUpgrade(request.raw, socket, head, resolve);
  });
}
