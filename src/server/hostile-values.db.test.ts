import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { routes } from "#contract/routes.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

const strings = [
  "",
  "\0",
  "a\0b",
  "\ud800",
  "\u202e\u0000\uffff",
  "x".repeat(100_000),
  "9999-12-31T23:59:59.999Z",
  "-271821-04-20T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "00000000-0000-4000-8000-000000000000",
  "../../etc/passwd",
  "%00",
  "' or 1=1 --",
  "/(a+)+$/",
  "[",
  ":has(:has(:has(*)))",
  "*".repeat(500),
  "http://[::1]:99999/",
  "https://example.com/\ud800",
  "javascript:alert(1)",
  "__proto__",
  "NaN",
  "1e309",
  "{{job.name}}{{".repeat(50),
];
const others = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  0.5,
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":1,"constructor":1}'),
];
const lists = [["\0"], ["\ud800", "a"], Array.from({ length: 1_000 }, (_, i) => `s${i}`), [null]];

const inPath = strings.filter((text) => text.length < 100).slice(0, 12);
const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Fields = Record<string, z.ZodType>;

/** The fields of an object however deep its schema wraps it. */
function fieldsOf(schema: unknown): Fields {
  const given = schema as {
    shape?: Fields;
    def?: { innerType?: unknown; in?: unknown; options?: unknown[] };
  };
  if (given?.shape) return given.shape;
  const { innerType, in: input, options = [] } = given?.def ?? {};
  return Object.assign({}, ...[innerType, input, ...options].filter(Boolean).map(fieldsOf));
}

/** Bodies with one hostile value each, beside what else the call needs; fields within fields too. */
function* spoiled(schema: unknown, whole: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const [name, field] of Object.entries(fieldsOf(schema))) {
    for (const value of [...strings, ...others, ...lists]) yield { ...whole, [name]: value };
    const inner = fieldsOf(field);
    if (Object.keys(inner).length === 0) continue;
    const held = (whole[name] ?? {}) as Record<string, unknown>;
    for (const part of spoiled(field, held)) yield { ...whole, [name]: part };
  }
}

/** What would be accepted, so that one spoiled field is all that is wrong. */
const sound: Record<string, Record<string, unknown>> = {};

test("Z7 no value in any field of any call gives a 500 or a huge answer", { timeout: 300_000 }, async () => {
  const { token, groupId, createJob, execution, run } = await engine.person();
  engine.site.page.html = html(...story);
  const jobId = await createJob();
  const { id: first } = await execution(jobId, 1);
  engine.site.page.html = html(...story, "More");
  const { id: executionId } = await run(jobId);
  const job = { url: "http://127.0.0.1:8080/x", frequency: 60, groupId };
  Object.assign(sound, {
    createJob: job,
    updateJob: {},
    createGroup: { name: "Another" },
    createShare: { executionId, fromId: first },
    compare: { from: first, to: executionId },
    register: { firstname: "A", surname: "B", email: "walk@example.com", password: "correct1!" },
    login: { email: "walk@example.com", password: "wrong1!" },
  });
  const ids: Record<string, string> = {
    jobId,
    executionId,
    groupId,
    side: "after",
    planId: "ultimate",
    status: "active",
  };
  const unwalked = new Set(["logout", "deleteMe", "events", "deleteJob", "deleteGroup"]);
  const problems: string[] = [];
  let calls = 0;
  let address = 0;

  async function ask(name: string, method: string, url: string, body?: unknown) {
    calls++;
    address++;
    const ip = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
    // A name may not be taken twice.
    const named = name === "createJob" && isRecord(body) ? { name: `Job ${calls}`, ...body } : body;
    const headers: Record<string, string> =
      typeof body === "string" ? { "content-type": "application/json" } : {};
    const answer = await engine.call(method, url, named, { token, ip, headers });
    if (answer.status >= 500 && answer.status !== 503)
      problems.push(`${name} ${url.slice(0, 150)} ${JSON.stringify(body)?.slice(0, 200)}: ${answer.status}`);
    if (answer.raw.length > 5_000_000) problems.push(`${name}: ${answer.raw.length} bytes`);
  }

  for (const [name, route] of Object.entries(routes)) {
    if (unwalked.has(name)) continue;
    const { method, path } = route;
    const fill = (given: Record<string, string>) =>
      path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent((given[key] ?? "x").toWellFormed()));
    await ask(name, method, fill(ids), sound[name] && method !== "GET" ? sound[name] : undefined);
    for (const key of path.match(/(?<=:)\w+/g) ?? []) {
      for (const value of inPath) {
        await ask(
          name,
          method,
          fill({ ...ids, [key]: value }),
          sound[name] && method !== "GET" ? sound[name] : undefined,
        );
      }
    }
    if ("query" in route) {
      for (const query of spoiled(route.query, sound[name] ?? {})) {
        const parts = Object.entries(query).map(
          ([key, value]) =>
            `${key}=${encodeURIComponent((typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2_000).toWellFormed())}`,
        );
        await ask(name, method, `${fill(ids)}?${parts.join("&")}`);
        await ask(name, method, `${fill(ids)}?${parts[0]}&${parts[0]}`);
      }
    }
    if ("body" in route && route.body) {
      for (const body of spoiled(route.body, sound[name] ?? {})) await ask(name, method, fill(ids), body);
      for (const body of [null, [], "text", 1, "\ud800"])
        await ask(name, method, fill(ids), JSON.stringify(body));
    }
  }
  expect(problems.slice(0, 20)).toEqual([]);
  expect(calls).toBeGreaterThan(2_000);
});
