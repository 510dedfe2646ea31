import { type HostileWalkTarget, sendHostileValues } from "#server/testing/walk-hostile.ts";
import { grow } from "./grow.ts";
import { openJobs } from "./jobs.ts";
import { openProcessorTime } from "./processor-time.ts";
import { type Caller, startProduct } from "./product.ts";

type Product = Awaited<ReturnType<typeof startProduct>>;

const limits = { bytes: 5_000_000, ms: 2_000 };
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
  const { groupOf, createJob, executionsOf, waitForFirstCheck, check } = openJobs(originOf);
  const createTargets = async (caller: Caller) => {
    const jobId = await createJob(caller, "/large.txt", "walked");
    await waitForFirstCheck(caller, jobId);
    await check(caller, jobId);
    const [newest, previous] = await executionsOf(caller, jobId);
    const groupId = String(await groupOf(caller));
    return { groupId, jobId, executionId: newest?.id ?? "", before: previous?.id ?? "" };
  };
  const grower = await product.person();
  const growsTooFast =
    parts.growth && (await grow(product, grower, await createTargets(grower), parts.names));
  const problems = parts.values ? await sendValues(product, createTargets) : [];
  await product.stop();
  return growsTooFast || problems.length > 0;
}

/** Sends every hostile value to every call; returns the responses that were a 500, too large or too expensive. */
async function sendValues(
  product: Product,
  createTargets: (caller: Caller) => Promise<HostileWalkTarget>,
): Promise<string[]> {
  const caller = await product.person();
  const targets = await createTargets(caller);
  const processorTime = openProcessorTime(product.pid);
  const problems: string[] = [];
  const slowest = { ms: 0, name: "" };
  let calls = 0;
  await sendHostileValues(targets, async (name, method, url, body) => {
    calls++;
    const from = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`;
    const payload =
      name === "createJob" && typeof body === "object" ? { name: `Job ${calls}`, ...body } : body;
    const taken = processorTime.start();
    const { status, bytes } = await product.ask(from, caller.token, method, url, payload);
    const ms = taken();
    if (ms > slowest.ms) Object.assign(slowest, { ms, name: `${name} ${url.slice(0, 80)}` });
    const isBroken = status >= 500 && status !== 503;
    if (isBroken || (bytes > limits.bytes && !captureCalls.has(name)) || ms > limits.ms)
      problems.push(`${name} ${url.slice(0, 120)}: ${status}, ${bytes} bytes, ${ms.toFixed(0)} ms`);
  });
  console.log(`walk: ${calls} calls, most processor time ${slowest.ms.toFixed(0)} ms (${slowest.name})`);
  for (const problem of problems) console.log(`  ${problem}`);
  return problems;
}
