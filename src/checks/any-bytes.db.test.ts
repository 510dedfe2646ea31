import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "./testing/engine.ts";
import { html, story } from "./testing/page.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

test("NUL in a page is compared, told and kept, never a failure", async () => {
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
  // The same page is no change, though it went through bytes and back.
  expect(await run(id)).toMatchObject({ changed: false, summary: "No change" });
  engine.site.page.html = html(...story, "The code is A\0\0C and stands here.");
  expect(await run(id)).toMatchObject({ changed: true, error: null });
});

test("the database takes any text and any JSON", async () => {
  const text = "a\0b \ud83d \\u0000";
  const { rows } = await sql<{ text: string; json: unknown }>`
    select ${text}::text as text, ${JSON.stringify({ text, pair: "😀" })}::jsonb as json
  `.execute(engine.app.db);
  const kept = "a␀b \ufffd \\u0000";
  expect(rows).toEqual([{ text: kept, json: { text: kept, pair: "😀" } }]);
});
