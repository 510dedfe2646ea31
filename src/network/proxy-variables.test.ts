import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serve } from "./testing/local-site.ts";

const ask = `
import { request } from "node:http";
import { parseEgressAllow } from "#network/egress-allow.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";

const [, url] = process.argv;
const guard = createGuard({ allow: parseEgressAllow("127.0.0.0/8") });
const http = createGuardedFetch(guard);
const { response } = await http.fetch({ url, purpose: "page" });
const gateway = startGateway({ guard });
const lane = await gateway.openLane({ maxBytes: 1e6, maxRequests: 9, deadlineMs: 9000, listen: { port: 0 } });
const { port } = lane.address;
const passed = await new Promise((resolve) =>
  request({ host: "127.0.0.1", port, path: url, agent: false }, (answer) => answer.setEncoding("utf8").on("data", resolve)).end(),
);
console.log(JSON.stringify([Buffer.from(response.body).toString(), passed]));
await gateway.close();
await http.close();
`;

test("E1 a proxy named in the environment is never asked", async () => {
  const site = await serve((_, response) => response.end("the site"));
  const seen: string[] = [];
  const proxy = await serve((request, response) => {
    seen.push(request.url ?? "");
    response.end("the proxy");
  });
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  const env = {
    ...process.env,
    ...Object.fromEntries(names.map((name) => [name, proxy.url("/")])),
    NO_PROXY: "",
    no_proxy: "",
    NODE_USE_ENV_PROXY: "1",
  };
  const args = ["--input-type=module", "-e", ask, site.url("/")];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(JSON.parse(stdout)).toEqual(["the site", "the site"]);
  expect(seen).toEqual([]);
});
