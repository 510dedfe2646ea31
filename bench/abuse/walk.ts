import { sendHostileValues } from "#server/testing/walk-hostile.ts";
import { fillAccount, type WalkedAccount } from "#server/testing/walked-account.ts";
import { grow } from "./grow.ts";
import { openJobs } from "./jobs.ts";
import { openProcessorTime } from "./processor-time.ts";
import { type Caller, startProduct } from "./product.ts";

type Product = Awaited<ReturnType<typeof startProduct>>;

const limits = { bytes: 5_000_000, ms: 2_000, callSeconds: Number(process.env.CALL_SECONDS ?? 30) };
// These return captured content, which is as large as the page was.
const captureCalls = new Set([
  "executionImage",
  "executionHtml",
  "executionText",
  "metadata",
  "exportAccount",
]);

/**
 * Grows the input of every call of a running product, then sends every hostile value to every call; returns whether any
 * time grew faster than its input, or any response was a 500, too large or took too much processor time.
 */
export async function walk(
  originOf: () => string,
  parts: { growth: boolean; values: boolean; names: string[] },
): Promise<boolean> {
  const product = await startProduct({ RATE_LIMIT_PER_MINUTE: "1000000" });
  await product.removeHourlyLimits();
  const { groupOf, createJob, executionsOf, waitForFirstCheck, check } = openJobs(originOf);
  const createTargets = async (caller: Caller, path: string) => {
    const jobId = await createJob(caller, path, "walked");
    await waitForFirstCheck(caller, jobId);
    await check(caller, jobId);
    const [newest, previous] = await executionsOf(caller, jobId);
    const [executionId = "", fromId = ""] = [newest?.id, previous?.id];
    const groupId = String(await groupOf(caller));
    const siteId = await createJob(caller, path, "walked site", { site: { perSecond: 10, maxPages: 20 } });
    await waitForFirstCheck(caller, siteId);
    const [crawled] = await executionsOf(caller, siteId);
    const crawlId = crawled?.id ?? "";
    const url = `${originOf()}/calm`;
    return fillAccount((...call) => caller.call(...call), {
      url,
      groupId,
      jobId,
      executionId,
      fromId,
      siteId,
      crawlId,
    });
  };
  const grower = await product.person();
  const growsTooFast =
    parts.growth && (await grow(product, grower, await createTargets(grower, "/article"), parts.names));
  const problems: string[] = [];
  // Reading a large capture costs the same whatever is asked of it, so it gets a few of the values only.
  for (const [path, every] of parts.values
    ? ([
        ["/article", 1],
        ["/long.txt", 40],
      ] as const)
    : []) {
    const caller = await product.person();
    problems.push(
      ...(await sendValues(product, caller, await createTargets(caller, path), parts.names, every)),
    );
  }
  await product.stop();
  return growsTooFast || problems.length > 0;
}

/** Sends hostile values to every call; returns the responses that were a 500, too large or too expensive. */
async function sendValues(
  product: Product,
  caller: Caller,
  targets: WalkedAccount,
  names: string[],
  every: number,
): Promise<string[]> {
  const processorTime = openProcessorTime(product.pid);
  const problems: string[] = [];
  const tallies = new Map<string, { calls: number; cut: number; seconds: number; ms: number; url: string }>();
  let calls = 0;
  const send = async (name: string, method: string, url: string, body?: unknown) => {
    if (names.length > 0 && !names.includes(name)) return undefined;
    const tally = tallies.get(name) ?? { calls: 0, cut: 0, seconds: 0, ms: 0, url: "" };
    // A line for each call when the next one begins.
    if (!tallies.has(name)) showLast();
    tallies.set(name, tally);
    if (tally.seconds > limits.callSeconds) {
      tally.cut++;
      return undefined;
    }
    calls++;
    const from = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`;
    const payload =
      name === "createJob" && typeof body === "object" ? { name: `Job ${calls}`, ...body } : body;
    const taken = processorTime.start();
    const started = performance.now();
    const { status, bytes } = await product
      .ask(from, caller.token, method, url, payload)
      .catch((error: Error) => ({ status: `no answer (${error.message})`, bytes: 0 }));
    const [ms, seconds] = [taken(), (performance.now() - started) / 1_000];
    tally.calls++;
    tally.seconds += seconds;
    if (ms > tally.ms) Object.assign(tally, { ms, url });
    // An account's whole archive takes as long as its history is; three are under way at most.
    const isQuick = ms <= limits.ms || (name === "exportAccount" && status === 200);
    const isBroken = typeof status === "string" || (status >= 500 && ![502, 503].includes(status));
    if (!isBroken && (bytes <= limits.bytes || captureCalls.has(name)) && isQuick) return status;
    const sent = (JSON.stringify(body) ?? "").slice(0, 120);
    problems.push(
      `${name} ${url.slice(0, 120)} ${sent}: ${status}, ${bytes} bytes, ${ms.toFixed(0)} ms, ${seconds.toFixed(1)} s passed`,
    );
    console.log(`  ${problems.at(-1)}`);
    return status;
  };
  const showLast = () => {
    const [name, tally] = [...tallies].at(-1) ?? [];
    if (!tally) return;
    const cut = tally.cut > 0 ? `, CUT: ${tally.cut} not sent` : "";
    console.log(
      `${name?.padEnd(22)} ${tally.calls} values in ${tally.seconds.toFixed(0)} s${cut}; most processor time ${tally.ms.toFixed(0)} ms (${tally.url.slice(0, 80)})`,
    );
  };
  await sendHostileValues(targets, send, every);
  showLast();
  console.log(`walk: ${calls} calls with hostile values, ${problems.length} problems`);
  return problems;
}
