import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "./testing/engine.ts";
import { html, story } from "./testing/page.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

test("a page with NUL characters is compared, alerted and stored, and never fails a check", async () => {
  engine.site.page.html = html(...story);
  const { createJob, execution, run, call, logsOf } = await engine.person();
  const id = await createJob();
  await execution(id, 1);
  engine.site.page.html = html(...story, "The code is A\0B and stands here.");
  const changed = await run(id);
  expect(changed).toMatchObject({ changed: true, error: null });
  const detail = await call("GET", `/api/jobs/${id}/executions/${changed.id}`);
  expect(JSON.stringify(detail.body)).toContain("A␀B and stands");
  expect((await logsOf(id))[0]).toMatch(/^\[info\] Change: /);
  // The same page isn't a change, although its baseline was written as bytes and read back.
  expect(await run(id)).toMatchObject({ changed: false, summary: "No change" });
  engine.site.page.html = html(...story, "The code is A\0\0C and stands here.");
  expect(await run(id)).toMatchObject({ changed: true, error: null });
});

test("the database accepts any text and any JSON", async () => {
  const text = "a\0b \ud83d \\u0000";
  const { rows } = await sql<{ text: string; json: unknown }>`
    select ${text}::text as text, ${JSON.stringify({ text, pair: "😀" })}::jsonb as json
  `.execute(engine.app.db);
  const stored = "a␀b \ufffd \\u0000";
  expect(rows).toEqual([{ text: stored, json: { text: stored, pair: "😀" } }]);
});
