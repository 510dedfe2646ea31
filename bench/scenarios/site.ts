import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { fill } from "./fill.ts";
import type { Answer, Scenario } from "./scenario.ts";

export type Site = Awaited<ReturnType<typeof startSite>>;

const pack = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync };
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const defaultFiles: [RegExp, Answer][] = [
  [/\.js$/, { body: "/* nothing to do */", type: "text/javascript" }],
  [/\.css$/, { body: "", type: "text/css" }],
  [/\.(png|gif)$/, { body: dot, type: "image/png" }],
];

export const pathOf = (scenario: Scenario) => scenario.path ?? "/page";

/** A site that serves one scenario at a time, step by step. A host gets at most two captures at once, so each site is
 * its own host if the system has more than one loopback address. */
export async function startSite(number = 0) {
  const host = process.platform === "linux" ? `127.0.0.${number + 1}` : "127.0.0.1";
  let scenario: Scenario | undefined;
  let step = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", origin);
    if (!scenario) return void response.writeHead(404).end();
    const served = scenario.serves[step] ?? "";
    const answer: Answer = typeof served === "string" ? { body: served } : served;
    const watched = pathOf(scenario);
    if (answer.location !== undefined && pathname === watched) {
      const location = fill(answer.location, requests++, origin);
      return void response.writeHead(302, { location }).end();
    }
    if (pathname === watched || pathname === answer.location?.split("?")[0]) {
      return send(response, answer, requests++);
    }
    const file = scenario.files?.[pathname];
    const other =
      file?.[Math.min(step, file.length - 1)] ?? defaultFiles.find(([name]) => name.test(pathname))?.[1];
    send(response, other ?? { status: 404, body: "", type: "text/plain" }, 0);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;

  function send(response: ServerResponse, answer: Answer, request: number): void {
    const { body = "", type = "text/html; charset=utf-8", status = 200, headers = {} } = answer;
    const plain = typeof body === "string" ? Buffer.from(fill(body, request, origin)) : Buffer.from(body);
    const bytes = answer.pack ? pack[answer.pack](plain) : plain;
    for (const [name, value] of Object.entries(headers))
      response.setHeader(name, fill(value, request, origin));
    if (type !== "") response.setHeader("content-type", type);
    if (answer.pack) response.setHeader("content-encoding", answer.pack);
    if (answer.cut !== "chunked") response.setHeader("content-length", bytes.length);
    response.writeHead(status);
    if (answer.cut === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => setTimeout(() => response.destroy(), 50));
  }

  return {
    origin,
    show(next: Scenario) {
      [scenario, step, requests] = [next, 0, 0];
    },
    goTo(next: number) {
      step = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
