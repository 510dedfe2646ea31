import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { walkHostile } from "./testing/walk-hostile.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

// Each third of the values; `npm run bench:abuse -- walk` takes them all, by the clock too.
test("Z7 no value in any field of any call gives a 500 or a huge answer", { timeout: 300_000 }, async () => {
  const { token, groupId, createJob, execution, run } = await engine.person();
  engine.site.page.html = html(...story);
  const jobId = await createJob();
  const { id: before } = await execution(jobId, 1);
  engine.site.page.html = html(...story, "More");
  const { id: executionId } = await run(jobId);
  const problems: string[] = [];
  let calls = 0;

  async function ask(name: string, method: string, url: string, body?: unknown) {
    calls++;
    const ip = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`;
    // A name may not be taken twice.
    const named = name === "createJob" && typeof body === "object" ? { name: `Job ${calls}`, ...body } : body;
    const headers: Record<string, string> =
      typeof body === "string" ? { "content-type": "application/json" } : {};
    const answer = await engine.call(method, url, named, { token, ip, headers });
    if (answer.status >= 500 && answer.status !== 503)
      problems.push(`${name} ${url.slice(0, 150)} ${JSON.stringify(body)?.slice(0, 200)}: ${answer.status}`);
    if (answer.raw.length > 5_000_000) problems.push(`${name}: ${answer.raw.length} bytes`);
  }

  await walkHostile({ groupId, jobId, executionId, before }, ask, 3);
  expect(problems.slice(0, 20)).toEqual([]);
  expect(calls).toBeGreaterThan(3_000);
});
