import { walkHostile } from "#server/testing/walk-hostile.ts";
import { grow } from "./grow.ts";
import { openJobs } from "./jobs.ts";
import { type Caller, startProduct } from "./product.ts";

const most = { bytes: 5_000_000, ms: 2_000 };
// What was captured, as large as the page was.
const captures = new Set(["executionImage", "executionHtml", "executionText", "metadata", "exportAccount"]);

/**
 * Grows the input of every call of a running product, and walks it with every hostile value; answers whether any time
 * grew faster than its input, or any answer was a 500, huge or late.
 */
export async function walk(originOf: () => string): Promise<boolean> {
  const product = await startProduct({ RATE_LIMIT_PER_MINUTE: "1000000" });
  const { groupOf, createJob, executionsOf, firstOf, check } = openJobs(originOf);
  const placeOf = async (caller: Caller) => {
    const jobId = await createJob(caller, "/large.txt", "walked");
    await firstOf(caller, jobId);
    await check(caller, jobId);
    const [after, before] = await executionsOf(caller, jobId);
    const groupId = String(await groupOf(caller));
    return { groupId, jobId, executionId: after?.id ?? "", before: before?.id ?? "" };
  };
  const grower = await product.person();
  const isSteep = await grow(product, grower, await placeOf(grower));
  const caller = await product.person();
  const place = await placeOf(caller);
  const problems: string[] = [];
  const slowest = { ms: 0, name: "" };
  let calls = 0;
  await walkHostile(place, async (name, method, url, body) => {
    calls++;
    const from = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`;
    const named = name === "createJob" && typeof body === "object" ? { name: `Job ${calls}`, ...body } : body;
    const { status, ms, bytes } = await product.ask(from, caller.token, method, url, named);
    if (ms > slowest.ms) Object.assign(slowest, { ms, name: `${name} ${url.slice(0, 80)}` });
    const isBroken = status >= 500 && status !== 503;
    if (isBroken || (bytes > most.bytes && !captures.has(name)) || ms > most.ms)
      problems.push(`${name} ${url.slice(0, 120)}: ${status}, ${bytes} bytes, ${ms.toFixed(0)} ms`);
  });
  await product.stop();
  console.log(`walk: ${calls} calls, slowest ${slowest.ms.toFixed(0)} ms (${slowest.name})`);
  for (const problem of problems) console.log(`  ${problem}`);
  return isSteep || problems.length > 0;
}
