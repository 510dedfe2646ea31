import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

/** Asks an HTTP proxy on loopback for a page, as the browser does; returns status and body. */
export async function askThrough(port: number, url: string): Promise<[status: number, body: string]> {
  const asked = request({ host: "127.0.0.1", port, path: url, headers: { host: new URL(url).host } });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return [response.statusCode ?? 0, body];
}
