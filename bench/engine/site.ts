// More than a hundred hosts: every address of 127/8 answers, served from its own thread.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const lorem =
  "Watching a page means to look again and to notice what became different since the last time. ".repeat(2);

type Command = { version?: number; ask?: true };
export type Visit = { path: string; at: number };

/** A page that differs at each request in a token and a time, and has one more news line with each version. */
function page(path: string, version: number): string {
  const noise = Math.random().toString(36).slice(2);
  const news = Array.from({ length: version }, (_, i) => `<p>News number ${i + 1} of ${path} is here.</p>`);
  return `<!doctype html><html><head><meta charset="utf-8"><title>Page ${path}</title><meta name="csrf-token" content="${noise}">
<style>body{font-family:sans-serif;max-width:800px;margin:40px auto}</style></head><body><h1>Page ${path}</h1><main>
${`<p>${lorem}</p>`.repeat(8)}${news.join("")}</main><footer><p data-token="${noise}">Served at ${new Date().toISOString()}</p></footer></body></html>`;
}

async function serve(): Promise<void> {
  let version = 0;
  let visits: Visit[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    visits.push({ path, at: Date.now() });
    if (path === "/favicon.ico") return void response.writeHead(404).end();
    if (path.startsWith("/slow")) return void setTimeout(() => response.end("<p>slow</p>"), 25_000);
    if (!path.startsWith("/static")) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      return void response.end(page(path, version));
    }
    const tag = `"static-1"`;
    const headers = { "content-type": "text/html; charset=utf-8", etag: tag, "cache-control": "no-cache" };
    if (request.headers["if-none-match"] === tag) return void response.writeHead(304, headers).end();
    response.writeHead(200, headers);
    response.end(`<!doctype html><title>Static</title><main>${`<p>${lorem}</p>`.repeat(8)}</main>`);
  }).listen(0, "0.0.0.0");
  await once(server, "listening");
  parentPort?.on("message", (command: Command) => {
    if (command.version !== undefined) version = command.version;
    if (command.ask) {
      parentPort?.postMessage(visits);
      visits = [];
    }
  });
  parentPort?.postMessage((server.address() as AddressInfo).port);
}

if (!isMainThread) await serve();

export async function startSite() {
  const thread = new Worker(new URL(import.meta.url));
  const [port] = (await once(thread, "message")) as [number];
  let version = 0;
  return {
    host: (number: number) => `127.0.${1 + Math.floor(number / 200)}.${1 + (number % 200)}:${port}`,
    change: () => thread.postMessage({ version: ++version } satisfies Command),
    /** The requests since the last call. */
    async visits(): Promise<Visit[]> {
      thread.postMessage({ ask: true } satisfies Command);
      return ((await once(thread, "message")) as [Visit[]])[0];
    },
    close: () => thread.terminate(),
  };
}
