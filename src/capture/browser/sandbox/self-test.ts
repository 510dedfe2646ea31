import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { CdpError } from "../devtools-protocol/cdp-error.ts";
import type { Browser } from "../launch.ts";
import { readPageScript, Tab } from "../tab.ts";
import { firstPort } from "./protection.ts";

const waitMs = 1_200;
// A loopback origin is a secure context, which some of the attacks require.
const origin = "http://localhost/";

/**
 * Lets a page attack a canary on this machine's loopback in every way a page has (B2). Throws if anything arrived or
 * if the page could not even try; returns how many attempts ended at the proxy.
 */
export async function selfTest(browser: Browser, proxyBypassList?: string): Promise<number> {
  await using closers = new AsyncDisposableStack();
  const canary = closers.adopt(await openCanary(), (opened) => opened.close());
  const proxy = closers.adopt(await openProxy(browser), (opened) => opened.close());
  await attack(await Tab.open(browser, proxy.port, proxyBypassList), canary);
  if (canary.hits.length > 0) {
    throw new Error(`The browser is not contained: a page reached ${[...new Set(canary.hits)].join(", ")}.`);
  }
  if (proxy.attempts() === 0) throw new Error("The browser's self-test could not run.");
  return proxy.attempts();
}

async function attack(tab: Tab, ports: { tcp: number; udp: number }): Promise<void> {
  const crashed = Promise.withResolvers<never>();
  const stopListening = tab.listen(({ method }) => {
    if (method === "Inspector.targetCrashed") crashed.reject(new CdpError("gone", "The page crashed."));
  });
  try {
    await tab.send("Inspector.enable");
    // A page that crashed never answers.
    await Promise.race([attackFrom(tab, ports), crashed.promise]);
  } finally {
    stopListening();
    await tab.close();
  }
}

async function attackFrom(tab: Tab, { tcp, udp }: { tcp: number; udp: number }): Promise<void> {
  const { errorText } = await tab.send("Page.navigate", { url: origin });
  if (errorText) throw new CdpError("refused", `The browser's self-test could not run: ${errorText}`);
  await tab.run(await tab.openIsolatedWorld(), readPageScript("attack"), { tcp, udp, waitMs }, 20_000);
}

async function openCanary() {
  const hits: string[] = [];
  const servers = [countingServer(hits), countingServer(hits)] as const;
  const sockets = [createSocket("udp4"), createSocket("udp6")] as const;
  for (const socket of sockets) socket.on("message", () => hits.push("UDP"));
  // Without IPv6 the second server and socket fail to open; nothing can be reached there.
  for (const half of [servers[1], sockets[1]]) half.on("error", () => {});
  servers[0].listen(0, "127.0.0.1");
  sockets[0].bind(0, "127.0.0.1");
  await Promise.all([once(servers[0], "listening"), once(sockets[0], "listening")]);
  const tcp = (servers[0].address() as { port: number }).port;
  const udp = sockets[0].address().port;
  servers[1].listen(tcp, "::1");
  sockets[1].bind(udp, "::1");
  return {
    hits,
    tcp,
    udp,
    async close() {
      for (const socket of sockets) socket.close();
      await Promise.all(servers.map(closeServer));
    },
  };
}

function countingServer(hits: string[]): Server {
  const server = createServer((request, response) => {
    hits.push(`HTTP ${request.url}`);
    response.end();
  });
  server.on("connection", (socket) => {
    hits.push("TCP");
    socket.on("error", () => {});
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  return server;
}

/** Serves the attacking page and its workers and refuses all else; listens inside the browser's namespace, if any. */
async function openProxy(browser: Browser) {
  let attempts = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? "";
    const worker = /^http:\/\/localhost\/(?:shared|service)\.js\?(.*)$/.exec(url);
    if (worker) {
      response.setHeader("content-type", "text/javascript");
      response.end(`fetch(decodeURIComponent(${JSON.stringify(worker[1])}), { mode: "no-cors" });`);
    } else if (url === "http://localhost/") {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>self-test</title><body>");
    } else {
      attempts += 1;
      response.writeHead(403).end();
    }
  });
  server.on("connect", (_request, socket) => {
    attempts += 1;
    // Nothing else handles errors of this socket: a page that drops the connection must not crash the process.
    socket.on("error", () => {});
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  // The last port, so that requests still pending from this page do not reach the first capture.
  const listener = browser.servers.at(-1);
  const acceptSocket = (socket: unknown) => server.emit("connection", socket);
  if (listener) listener.on("connection", acceptSocket);
  else {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  return {
    port: listener ? firstPort + browser.servers.length - 1 : (server.address() as { port: number }).port,
    attempts: () => attempts,
    async close() {
      listener?.off("connection", acceptSocket);
      await closeServer(server);
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}
