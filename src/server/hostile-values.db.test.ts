import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { openShop } from "#sites/testing/watch-site.ts";
import { sendHostileValues } from "./testing/walk-hostile.ts";
import { fillAccount } from "./testing/walked-account.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

// Sends one in 37 values, a different one for each field; `npm run test:long` sends all of them.
const every = process.env.TEST_SIZE === "long" ? 1 : 37;

test("Z7 no value in any field of any call causes a 500 or a huge response", {
  timeout: 900_000,
}, async () => {
  const { token, groupId, call, createJob, execution, run } = await engine.person();
  engine.site.page.html = html(...story);
  const jobId = await createJob();
  const { id: fromId } = await execution(jobId, 1);
  engine.site.page.html = html(...story, "More");
  const { id: executionId } = await run(jobId);
  const shop = await openShop({ sections: 1, perSection: 2, traps: [] });
  const siteId = await createJob({ url: shop.url("/"), site: { perSecond: 10 } });
  const { id: crawlId } = await execution(siteId, 1);
  const url = "http://127.0.0.1:8080/x";
  const jobs = { url, groupId, jobId, executionId, fromId, siteId, crawlId };
  const walked = await fillAccount(call, jobs);
  const problems: string[] = [];
  let calls = 0;

  async function sendCall(name: string, method: string, url: string, body?: unknown) {
    calls++;
    const ip = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`;
    // A job's name must be unique.
    const bodyWithName =
      name === "createJob" && typeof body === "object" ? { name: `Job ${calls}`, ...body } : body;
    const headers: Record<string, string> =
      typeof body === "string" ? { "content-type": "application/json" } : {};
    const answer = await engine.call(method, url, bodyWithName, { token, ip, headers });
    // 502 and 503 say that somebody else's server failed, or that ours is busy.
    if (answer.status >= 500 && ![502, 503].includes(answer.status))
      problems.push(`${name} ${url.slice(0, 150)} ${JSON.stringify(body)?.slice(0, 200)}: ${answer.status}`);
    if (answer.raw.length > 5_000_000) problems.push(`${name}: ${answer.raw.length} bytes`);
    return answer.status;
  }

  await sendHostileValues(walked, sendCall, every);
  expect(problems.slice(0, 20)).toEqual([]);
  expect(calls).toBeGreaterThan(20_000 / every);
});
