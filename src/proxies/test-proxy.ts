import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { PageProxy } from "#contract/proxy.ts";
import { parseAddress } from "#network/address-rules/address.ts";
import { failureSentences } from "#network/failure.ts";
import { countProxyUsers, findProxies, recordProxyUse, updateProxy } from "#storage/proxies.ts";
import type { Deps } from "./deps.ts";
import { describeProxy } from "./manage-proxies.ts";
import { toProxy } from "./open-proxies.ts";

const echoBytes = 64 * 1024;
const echoMs = 20_000;

/** Requests the echo page through a proxy and stores how the proxy did, and the address that sites see. */
export async function testProxy(
  deps: Deps,
  { accountId }: Actor,
  id: string,
): Promise<{ proxy: PageProxy; message: string }> {
  const [row] = await findProxies(deps.db, accountId, [id]);
  if (!row) throw new AppError("NOT_FOUND");
  const url = row.echo_url ?? deps.echoUrl;
  if (!url)
    throw new AppError(
      "INVALID_INPUT",
      "Enter an echo URL: a page that answers with the address of its visitor.",
      { field: "echoUrl" },
    );
  const result = await deps.http.fetch({
    url,
    purpose: "page",
    proxy: toProxy(deps, row),
    isFresh: true,
    keepBytes: echoBytes,
    totalMs: echoMs,
  });
  const problem = result.ok ? null : (result.failure.proxy ?? null);
  if (problem === "denied") {
    const proxy = describeProxy(deps, row, await countProxyUsers(deps.db, accountId));
    return { proxy, message: `“${row.name}” answers, but it doesn’t allow connections to the echo URL.` };
  }
  const ms = result.ok ? (result.response.timing.connect ?? null) : null;
  await recordProxyUse(deps.db, accountId, id, { problem, ms });
  const address = result.ok ? findAddress(Buffer.from(result.response.body).toString("latin1")) : null;
  if (problem === null)
    await updateProxy(deps.db, id, { address, ...(ms !== null && { latency_ms: Math.round(ms) }) });
  const [tested = row] = await findProxies(deps.db, accountId, [id]);
  const proxy = describeProxy(deps, tested, await countProxyUsers(deps.db, accountId));
  return {
    proxy,
    message: describe(proxy, address, result.ok ? null : failureSentences[result.failure.kind]),
  };
}

function describe(
  { name, problem, latencyMs }: PageProxy,
  address: string | null,
  failure: string | null,
): string {
  if (problem) return `“${name}” doesn’t work. ${problem}`;
  if (failure) return `“${name}” answers, but the echo URL didn’t: ${failure}`;
  const took = latencyMs === null ? "" : ` It connected within ${latencyMs} ms.`;
  return address
    ? `“${name}” works. Sites see the address ${address}.${took}`
    : `“${name}” works, but the echo URL didn’t answer with an address.${took}`;
}

/** The first address in a text, whether it is plain text, JSON or a page. */
function findAddress(text: string): string | null {
  const candidates = text.matchAll(/[\da-f]{1,4}[.:][\da-f.:]{2,43}/gi);
  for (const [candidate] of candidates) if (parseAddress(candidate)) return candidate;
  return null;
}
