import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** Runs the audit against a registry that knows these flaws; returns its exit code and output. */
async function audit(advisories: Record<string, unknown> | null) {
  const requestedNames: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "GET") {
      const name = request.url?.slice(1);
      const version = { name, version: "1.0.0", dist: {} };
      const packument = { name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } };
      return response.setHeader("content-type", "application/json").end(JSON.stringify(packument));
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    requestedNames.push(...Object.keys(JSON.parse(String(body[0] === 0x1f ? gunzipSync(body) : body))));
    if (advisories) response.setHeader("content-type", "application/json").end(JSON.stringify(advisories));
    else response.writeHead(405).end();
  };
  const registry = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const { port } = registry.address() as AddressInfo;
  const cache = await mkdtemp(join(tmpdir(), "audit-"));
  const run = spawn("node", ["scripts/audit.mjs"], {
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: "0",
      npm_config_cache: cache,
    },
  });
  let output = "";
  run.stdout.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => run.on("close", resolve));
  await new Promise((resolve) => registry.close(resolve));
  await rm(cache, { recursive: true });
  return { code, output, requestedNames };
}

const flaw = (severity: string) => [
  { id: 1, url: "https://flaws.example/1", title: "Bad", severity, vulnerable_versions: "*" },
];

test("D4 a package with a critical flaw fails the audit and is named", async () => {
  const { code, output, requestedNames } = await audit({ fastify: flaw("critical") });
  expect(requestedNames).toContain("fastify");
  expect([code, output]).toEqual([1, expect.stringMatching(/audit: fastify .+ has a critical flaw/)]);
});

test("D4 less severe flaws are counted and do not fail the audit", async () => {
  const { code, output } = await audit({ fastify: flaw("low") });
  expect([code, output]).toEqual([0, expect.stringContaining("audit: 0 critical of")]);
});

test("D4 a registry without a list of flaws is reported and does not fail the audit", async () => {
  const { code, output } = await audit(null);
  expect([code, output]).toEqual([
    0,
    "audit: the registry answers no list of known flaws; nothing was judged\n",
  ]);
});
