import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serve } from "./testing/local-site.ts";

const script = fileURLToPath(new URL("./testing/ask-with-proxies.ts", import.meta.url));

test("E1 a proxy named in the environment is never used", async () => {
  const site = await serve((_, response) => response.end("the site"));
  const proxyRequests: string[] = [];
  const proxy = await serve((request, response) => {
    proxyRequests.push(request.url ?? "");
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
  const { stdout } = await promisify(execFile)(process.execPath, [script, site.url("/")], { env });
  expect(JSON.parse(stdout)).toEqual(["the site", "the site"]);
  expect(proxyRequests).toEqual([]);
});
