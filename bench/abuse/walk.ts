import { type Walked, walkHostile } from "#server/testing/walk-hostile.ts";
import type { Caller, startProduct } from "./product.ts";

const most = { bytes: 5_000_000, ms: 2_000 };

/** Walks the running product with every hostile value; answers whether any answer was a 500, huge or late. */
export async function walk(
  product: Awaited<ReturnType<typeof startProduct>>,
  caller: Caller,
  place: Walked,
): Promise<boolean> {
  const problems: string[] = [];
  const slowest = { ms: 0, name: "" };
  let calls = 0;
  await walkHostile(place, async (name, method, url, body) => {
    calls++;
    const from = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`;
    const named = name === "createJob" && typeof body === "object" ? { name: `Job ${calls}`, ...body } : body;
    const started = performance.now();
    const { status, bytes } = await product.ask(from, caller.token, method, url, named);
    const ms = performance.now() - started;
    if (ms > slowest.ms) Object.assign(slowest, { ms, name: `${name} ${url.slice(0, 80)}` });
    const isBroken = status >= 500 && status !== 503;
    if (isBroken || bytes > most.bytes || ms > most.ms)
      problems.push(`${name} ${url.slice(0, 120)}: ${status}, ${bytes} bytes, ${ms.toFixed(0)} ms`);
  });
  console.log(`walk: ${calls} calls, slowest ${slowest.ms.toFixed(0)} ms (${slowest.name})`);
  for (const problem of problems) console.log(`  ${problem}`);
  return problems.length > 0;
}
