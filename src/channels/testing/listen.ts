import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { method: string; path: string; headers: IncomingMessage["headers"]; body: Buffer };

/** An HTTP server on loopback; the handler answers, or destroys the socket to simulate an outage. */
export async function listen(handle: (request: Received, response: ServerResponse) => void | Promise<void>) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      void handle({ method, path: url, headers, body: Buffer.concat(chunks) }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** A form's text fields and its files. */
export async function readForm({ headers, body }: Received) {
  const form = await new Response(new Uint8Array(body), {
    headers: { "content-type": headers["content-type"] ?? "" },
  }).formData();
  const fields: Record<string, string> = {};
  const files: Record<string, { name: string; type: string; bytes: Uint8Array }> = {};
  for (const [key, value] of form) {
    if (typeof value === "string") fields[key] = value;
    else files[key] = { name: value.name, type: value.type, bytes: await value.bytes() };
  }
  return { fields, files };
}

export async function until<T>(
  what: string,
  poll: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  seconds = 120,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const result = await poll();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not come`);
}
