import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "./testing/engine.ts";
import { html, story } from "./testing/page.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

test("NUL and lone surrogates in a page are compared, told and kept, never a failure", async () => {
  engine.site.page.html = html(...story);
  const { createJob, execution, run, call, logsOf } = await engine.person();
  const id = await createJob();
  await execution(id, 1);
  engine.site.page.html = html(...story, "The code is A\0B and half a pair \ud83d stands here.");
  const changed = await run(id);
  expect(changed).toMatchObject({ changed: true, error: null });
  const detail = await call("GET", `/api/jobs/${id}/executions/${changed.id}`);
  expect(JSON.stringify(detail.body)).toContain("A␀B and half a pair \ufffd stands");
  expect((await logsOf(id))[0]).toMatch(/^\[info\] Change: /);
  // The same page is no change, though it went through bytes and back.
  expect(await run(id)).toMatchObject({ changed: false, summary: "No change" });
  engine.site.page.html = html(...story, "The code is A\0\0C and half a pair \ud83d stands here.");
  expect(await run(id)).toMatchObject({ changed: true, error: null });
});
