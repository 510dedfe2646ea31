// Requests the URL in both ways that lead out of the server, as a process whose environment names a proxy.
import { request } from "node:http";
import { parseEgressAllow } from "../address-rules/egress-allow.ts";
import { startGateway } from "../egress-gateway.ts";
import { createGuard } from "../guard.ts";
import { createGuardedFetch } from "../guarded-fetch.ts";

const [, , url = ""] = process.argv;
const guard = createGuard({ allow: parseEgressAllow("127.0.0.0/8") });
const http = createGuardedFetch(guard);
const result = await http.fetch({ url, purpose: "page" });
const gateway = startGateway({ guard });
const { port } = await gateway.openTunnel({ maxBytes: 1e6, maxRequests: 9, deadlineMs: 9_000 });
const throughGateway = await new Promise((resolve) => {
  const options = { host: "127.0.0.1", port, path: url, agent: false };
  request(options, (answer) => answer.setEncoding("utf8").on("data", resolve)).end();
});
console.log(JSON.stringify([result.ok && Buffer.from(result.response.body).toString(), throughGateway]));
await gateway.close();
await http.close();
