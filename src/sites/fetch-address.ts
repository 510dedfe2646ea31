import { setTimeout as sleep } from "node:timers/promises";
import { conditions } from "#capture/plain-http/http-evidence.ts";
import { pauseHost, retryAfterOf } from "#host-limits/pause-host.ts";
import type { FetchRequest, FetchResult } from "#network/guarded-fetch.ts";
import { takeTurn } from "#storage/site-turns.ts";
import type { Crawl } from "./crawl.ts";

/** A crawler that a site wants to be slower than this would never end. */
const maxDelaySeconds = 30;
/** A turn that is further off is left to a later task. */
const patienceMs = 5_000;
const slotRetryMs = 250;
const maxSlotRetries = 8;

type Asked = { validator?: string | null; method?: "GET" | "HEAD"; keepBytes: number };
/** `waitMs`: the host can't be requested now. */
export type Fetched = FetchResult | { ok: false; waitMs: number };

/** Requests one address in the host's next turn, within its slots. Redirects aren't followed. */
export async function fetchAddress(crawl: Crawl, address: string, asked: Asked): Promise<Fetched> {
  const turn = await takeHostTurn(crawl, address);
  if ("waitMs" in turn) return { ok: false, waitMs: turn.waitMs };
  try {
    const result = await fetchThroughProxies(crawl, address, asked);
    const pauseSeconds = result.ok ? retryAfterOf(result.response) : null;
    if (pauseSeconds === null) return result;
    await pauseHost(crawl.deps.db, crawl.job.account_id, hostOf(address), {
      seconds: pauseSeconds,
      isThroughProxy: crawl.request.proxies?.some(({ proxy }) => proxy) ?? false,
    });
    return { ok: false, waitMs: pauseSeconds * 1000 };
  } finally {
    turn.release();
  }
}

const hostOf = (address: string) => new URL(address).hostname.replace(/\.$/, "");

/** Waits for the host's turn and takes one of its slots, as a check does. */
async function takeHostTurn(
  { deps, job, run, site }: Crawl,
  address: string,
): Promise<{ release: () => void } | { waitMs: number }> {
  const host = hostOf(address);
  const { host: name } = new URL(address);
  const delay = (site.robots && Object.hasOwn(run.robots, name) && run.robots[name]?.delay) || 0;
  // Whoever has the host says how often it may be requested in all; the operator does otherwise.
  const hostGapMs = deps.gapMs ?? Math.max(1000 / deps.maxPerSecond, Math.min(delay, maxDelaySeconds) * 1000);
  const ownGapMs = deps.gapMs ?? Math.max(1000 / site.perSecond, hostGapMs);
  const asked = { host, accountId: job.account_id, hostGapMs, ownGapMs, patienceMs };
  let turn = await takeTurn(deps.db, asked);
  for (let waited = 0; !turn.isTaken && waited + turn.waitMs <= patienceMs; ) {
    await sleep(turn.waitMs);
    waited += turn.waitMs;
    turn = await takeTurn(deps.db, asked);
  }
  if (!turn.isTaken) return { waitMs: turn.waitMs };
  if (turn.waitMs > 1) await sleep(turn.waitMs);
  for (let attempt = 0; attempt < maxSlotRetries; attempt++) {
    const release = await deps.slots.take(host, job.account_id);
    if (release) return { release };
    await sleep(slotRetryMs);
  }
  return { waitMs: 1000 };
}

async function fetchThroughProxies(crawl: Crawl, address: string, asked: Asked): Promise<FetchResult> {
  const { http } = crawl.deps;
  const { proxies = [] } = crawl.request;
  const request = toRequest(crawl, address, asked);
  if (proxies.length === 0) return http.fetch(request);
  let last: FetchResult = { ok: false, failure: { kind: "proxy" } };
  for (const { proxy, problem } of proxies) {
    if (problem !== undefined) continue;
    last = await http.fetch({ ...request, proxy });
    if (last.ok || last.failure.kind !== "proxy") return last;
  }
  return last;
}

/** The user's headers are for the job's own origin only. */
function toRequest(
  { deps, start, request: { headers = [], ask } }: Crawl,
  address: string,
  { validator, method = "GET", keepBytes }: Asked,
): FetchRequest {
  const isOwnOrigin = new URL(address).origin === new URL(start).origin;
  return {
    url: address,
    purpose: "crawl",
    method,
    keepBytes,
    userHeaders: isOwnOrigin ? headers : [],
    headers: [
      ...(ask?.headers ?? []),
      ["user-agent", deps.userAgent],
      ["accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
      ...(validator ? conditions({ validator }) : []),
    ],
  };
}
