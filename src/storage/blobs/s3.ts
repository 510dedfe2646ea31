import { createHash } from "node:crypto";
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { AwsClient } from "aws4fetch";
import { type BlobBackend, isBlobKey } from "./blob-backend.ts";

const timeout = 30_000;
const removeConcurrency = 16;

/**
 * Calls to a bucket. This is the only code outside network/ that opens connections: the operator sets the
 * endpoint at start, and no user's text reaches its URL.
 */
export function openBucket(where: URL) {
  const region = where.searchParams.get("region") ?? "us-east-1";
  const getClient = openClient(where, region);
  const endpoint = where.searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`;
  const bucket = `${endpoint.replace(/\/$/, "")}/${where.hostname}`;
  const root = where.pathname.replace(/^\/+|\/+$/g, "");
  const fullKey = (key: string) => (root ? `${root}/${key}` : key);

  async function call(
    method: string,
    path: string,
    body?: Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const client = await getClient();
    const answer = await client.fetch(`${bucket}${path}`, {
      method,
      body: body && Buffer.from(body),
      // The server refuses a body that doesn't match this hash, so an object is never stored partially.
      headers: {
        "x-amz-content-sha256": createHash("sha256")
          .update(body ?? "")
          .digest("hex"),
        ...headers,
      },
      signal: AbortSignal.timeout(timeout),
    });
    if (answer.ok || answer.status === 404) return answer;
    const details = /<Code>([^<]*)<\/Code>(?:\s*<Message>([^<]*))?/.exec(await answer.text());
    const why = details ? `: ${details.slice(1).filter(Boolean).join(", ")}` : "";
    throw new Error(`S3 answered ${answer.status} to ${method}${why}`);
  }

  async function callExisting(
    method: string,
    path: string,
    body?: Uint8Array,
    headers?: Record<string, string>,
  ): Promise<Response> {
    const answer = await call(method, path, body, headers);
    if (answer.status === 404) throw new Error(`S3 has no bucket ${where.hostname}`);
    return answer;
  }

  return { root, fullKey, call, callExisting };
}

/** Blobs as objects of a bucket. */
export function openS3Blobs(where: URL): BlobBackend {
  const { root, fullKey, call, callExisting } = openBucket(where);

  /** Up to a thousand names, the most that one response contains. */
  async function namesBelow(prefix: string): Promise<string[]> {
    const query = new URLSearchParams({ "list-type": "2", prefix });
    const answer = await callExisting("GET", `?${query.toString()}`);
    return [...(await answer.text()).matchAll(/<Key>([^<]+)<\/Key>/g)].map((match) => match[1] ?? "");
  }

  return {
    async write(key, bytes) {
      await callExisting("PUT", `/${fullKey(key)}`, bytes);
    },
    async read(key) {
      const answer = await call("GET", `/${fullKey(key)}`);
      return answer.status === 404 ? null : new Uint8Array(await answer.arrayBuffer());
    },
    async sizeOf(key) {
      const answer = await call("HEAD", `/${fullKey(key)}`);
      return answer.status === 404 ? null : Number(answer.headers.get("content-length"));
    },
    async remove(key) {
      await call("DELETE", `/${fullKey(key)}`);
    },
    async removeBelow(prefix) {
      for (;;) {
        const names = await namesBelow(`${fullKey(prefix)}/`);
        if (names.length === 0) return;
        for (let i = 0; i < names.length; i += removeConcurrency) {
          await Promise.all(names.slice(i, i + removeConcurrency).map((name) => call("DELETE", `/${name}`)));
        }
      }
    },
    async probe() {
      await callExisting("PUT", `/${fullKey("probe")}`, Buffer.from("Watchglass may write here.\n"));
    },
    async *list() {
      const prefix = root ? `${root}/` : "";
      for (let token: string | undefined, isMore = true; isMore; ) {
        const query = new URLSearchParams({ "list-type": "2", prefix });
        if (token) query.set("continuation-token", token);
        const page = await (await callExisting("GET", `?${query.toString()}`)).text();
        for (const entry of page.split("<Contents>").slice(1)) {
          const key = unescape(/<Key>([^<]+)/.exec(entry)?.[1] ?? "").slice(prefix.length);
          const [bytes, changed] = [/<Size>(\d+)/.exec(entry)?.[1], /<LastModified>([^<]+)/.exec(entry)?.[1]];
          if (isBlobKey(key)) yield { key, bytes: Number(bytes ?? 0), changedAt: new Date(changed ?? 0) };
        }
        token = unescape(/<NextContinuationToken>([^<]+)/.exec(page)?.[1] ?? "");
        isMore = token !== "";
      }
    },
  };
}

const unescape = (xml: string) =>
  xml.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** Signs with the credentials in the URL, or else with those that the AWS SDK finds, which may change as we run. */
function openClient(where: URL, region: string): () => Promise<AwsClient> {
  const open = (found: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) =>
    new AwsClient({ ...found, service: "s3", region, retries: 3 });
  if (where.username) {
    const accessKeyId = decodeURIComponent(where.username);
    const client = open({ accessKeyId, secretAccessKey: decodeURIComponent(where.password) });
    return async () => client;
  }
  const find = defaultProvider();
  let last: { key: string; client: AwsClient } | undefined;
  return async () => {
    const found = await find().catch((error: Error) => {
      throw new Error(
        `no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role (${error.message})`,
        { cause: error },
      );
    });
    const key = `${found.accessKeyId} ${found.sessionToken ?? ""}`;
    if (last?.key !== key) last = { key, client: open(found) };
    return last.client;
  };
}
