import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import type { BlobPlace } from "./blob-place.ts";

const timeout = 30_000;
const removedAtOnce = 16;

/**
 * Blobs as objects of a bucket. The one place outside network/ that dials: the endpoint is the operator's, set at
 * start, and no user's text reaches its address.
 */
export function openS3Blobs(where: URL): BlobPlace {
  const region = where.searchParams.get("region") ?? "us-east-1";
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(where.username),
    secretAccessKey: decodeURIComponent(where.password),
    service: "s3",
    region,
    retries: 3,
  });
  const endpoint = where.searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  const bucket = `${endpoint.replace(/\/$/, "")}/${where.hostname}`;
  const root = where.pathname.replace(/^\/+|\/+$/g, "");
  const full = (key: string) => (root ? `${root}/${key}` : key);

  async function call(method: string, path: string, body?: Uint8Array): Promise<Response> {
    const answer = await client.fetch(`${bucket}${path}`, {
      method,
      body: body && Buffer.from(body),
      // The server refuses a body that does not match, so a put is never half of one.
      headers: {
        "x-amz-content-sha256": createHash("sha256")
          .update(body ?? "")
          .digest("hex"),
      },
      signal: AbortSignal.timeout(timeout),
    });
    if (answer.ok || answer.status === 404) return answer;
    throw new Error(`S3 answered ${answer.status} to ${method}: ${(await answer.text()).slice(0, 300)}`);
  }

  async function callExisting(method: string, path: string, body?: Uint8Array): Promise<Response> {
    const answer = await call(method, path, body);
    if (answer.status === 404) throw new Error(`S3 has no bucket ${where.hostname}`);
    return answer;
  }

  /** Up to a thousand names, what one answer holds. */
  async function namesBelow(prefix: string): Promise<string[]> {
    const query = new URLSearchParams({ "list-type": "2", prefix });
    const answer = await callExisting("GET", `?${query.toString()}`);
    return [...(await answer.text()).matchAll(/<Key>([^<]+)<\/Key>/g)].map((match) => match[1] ?? "");
  }

  return {
    async write(key, bytes) {
      await callExisting("PUT", `/${full(key)}`, bytes);
    },
    async read(key) {
      const answer = await call("GET", `/${full(key)}`);
      return answer.status === 404 ? null : new Uint8Array(await answer.arrayBuffer());
    },
    async exists(key) {
      return (await call("HEAD", `/${full(key)}`)).status !== 404;
    },
    async remove(key) {
      await call("DELETE", `/${full(key)}`);
    },
    async removeBelow(prefix) {
      for (;;) {
        const names = await namesBelow(`${full(prefix)}/`);
        if (names.length === 0) return;
        for (let i = 0; i < names.length; i += removedAtOnce) {
          await Promise.all(names.slice(i, i + removedAtOnce).map((name) => call("DELETE", `/${name}`)));
        }
      }
    },
    async probe() {
      await namesBelow("probe/");
    },
  };
}
