import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type LocalSite = { port: number; server: Server; url: (path: string, host?: string) => string };

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Serves on loopback until the test ends. */
export async function serve(listener: Listener, tls?: { key: string; cert: string }): Promise<LocalSite> {
  const answer = (request: IncomingMessage, response: ServerResponse) => void listener(request, response);
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const scheme = tls ? "https" : "http";
  return { port, server, url: (path, host = "127.0.0.1") => `${scheme}://${host}:${port}${path}` };
}
