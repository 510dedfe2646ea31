import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

const secrets = ["header-value-77", "hooks.example.com", "trigger-value-78"];

async function watchedJob() {
  const person = await engine.person();
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null, shade: 200 });
  const jobId = await person.createJob({
    name: "=HYPERLINK(1)",
    headers: [{ name: "X-Key", value: secrets[0] }],
    trigger: {
      url: "http://127.0.0.1:9/hooks.example.com",
      method: "POST",
      headers: [{ name: "X-Hook", value: secrets[2] }],
    },
  });
  await person.execution(jobId, 1);
  engine.site.page.html = html(...story, "One more paragraph <script>alert(1)</script>.");
  await person.run(jobId);
  return { person, jobId };
}

test("D3 the JSON export has every execution with its verdict, newest first, and no secret", async () => {
  const { person, jobId } = await watchedJob();
  const answer = await person.call("GET", `/api/jobs/${jobId}/export?format=json`);
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-disposition": `attachment; filename="watchglass-${jobId}.json"`,
    "x-executions": "2",
  });
  const text = answer.raw.toString();
  const data = JSON.parse(text) as { job: object; executions: { index: number; verdict: unknown }[] };
  expect(data.job).toMatchObject({ name: "=HYPERLINK(1)", headers: ["X-Key"], executions: 2 });
  expect(data.executions.map(({ index }) => index)).toEqual([2, 1]);
  expect(data.executions[0]?.verdict).toMatchObject({ changed: true });
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test("V3 the CSV export has one line per execution and neutralizes formulas in page text", async () => {
  const { person, jobId } = await watchedJob();
  await sql`update executions set summary = '=cmd|''/c calc''!A1' where job_id = ${jobId} and number = 2`.execute(
    engine.app.db,
  );
  const imported = { at: "2026-03-04T05:06:07.000Z", archive: "a".repeat(64), origin: null };
  await sql`update executions set imported = ${JSON.stringify(imported)} where job_id = ${jobId} and number = 1`.execute(
    engine.app.db,
  );
  const answer = await person.call("GET", `/api/jobs/${jobId}/export?format=csv`);
  const lines = answer.raw.toString().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe(
    "\u{FEFF}index,id,createdAt,status_code,changed,similarity,severity,summary,error,truncated,durationMs,untold,importedAt,importedFrom",
  );
  expect(lines[1]).toMatch(/,,$/);
  expect(lines[2]).toMatch(new RegExp(`,${imported.at},${imported.archive}$`));
  expect(lines[1]).toContain(`,"'=cmd|'/c calc'!A1",`);
});

test("the ZIP export has the captures, with HTML under a name that opens as text", async () => {
  const { person, jobId } = await watchedJob();
  const answer = await person.call("GET", `/api/jobs/${jobId}/export?format=zip`);
  expect(answer.headers["content-type"]).toBe("application/zip");
  const folder = mkdtempSync(join(tmpdir(), "watchglass-zip-"));
  try {
    writeFileSync(join(folder, "export.zip"), answer.raw);
    // An independent unpacker.
    execFileSync("python3", ["-m", "zipfile", "-e", join(folder, "export.zip"), join(folder, "out")]);
    const names = readdirSync(join(folder, "out/executions")).sort();
    const endings = ["facts.json", "html.txt", "json", "png", "response.bin", "seal"];
    expect(names).toEqual(
      ["000001", "000002"].flatMap((stem) => endings.map((ending) => `${stem}.${ending}`)),
    );
    expect(readFileSync(join(folder, "out/executions/000002.html.txt"), "utf8")).toBe(engine.site.page.html);
    const { width, height } = await sharp(join(folder, "out/executions/000001.png")).metadata();
    expect([width, height]).toEqual([64, 48]);
    expect(readFileSync(join(folder, "out/job.json"), "utf8")).not.toContain(secrets[0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("Z2 another account's export, timeline, thumbnail and noise are not found", async () => {
  const { person, jobId } = await watchedJob();
  const other = await engine.person();
  const [execution] = await person.executionsOf(jobId);
  for (const path of [
    "export?format=json",
    "export?format=zip",
    "timeline",
    "noise",
    `executions/${execution?.id}/thumbnail`,
  ]) {
    expect((await other.call("GET", `/api/jobs/${jobId}/${path}`)).status, path).toBe(404);
    expect((await person.call("GET", `/api/jobs/${jobId}/${path}`)).status, path).toBe(200);
  }
  const body = { place: "main" };
  expect((await other.call("POST", `/api/jobs/${jobId}/noise/unlearn`, body)).status).toBe(404);
});

test("V2 a thumbnail is a small WebP of the picture's top and is revalidated each time", async () => {
  const { person, jobId } = await watchedJob();
  const [execution] = await person.executionsOf(jobId);
  const answer = await person.call("GET", `/api/jobs/${jobId}/executions/${execution?.id}/thumbnail`);
  expect(answer.headers).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  });
  const { width, height, format } = await sharp(answer.raw).metadata();
  expect([format, width, height]).toEqual(["webp", 64, 43]);
});

/** Adds hourly checks without captures, up to `count` executions. */
async function addHistory(accountId: string, jobId: string, count: number) {
  await sql`
    insert into executions (job_id, account_id, number, created_at, status_code, changed, severity, summary, duration_ms, attempts)
    select ${jobId}, ${accountId}, n, timestamptz '2027-01-01' + n * interval '1 hour', 200, n % 1000 = 0,
      case when n = 3000 then 'critical' when n % 1000 = 0 then 'notice' end, 'Check ' || n, 5, 1
    from generate_series(3, ${count}) as n
  `.execute(engine.app.db);
  await sql`update jobs set executions = ${count}, changes = ${Math.floor(count / 1000) + 1} where id = ${jobId}`.execute(
    engine.app.db,
  );
}

test("the timeline sums up a long history in few pieces and shows each piece's most severe change", async () => {
  const { person, jobId } = await watchedJob();
  await addHistory(person.accountId, jobId, 5000);
  const from = "2027-01-01T00:00:00.000Z";
  const to = new Date(Date.parse(from) + 5000 * 3_600_000 + 1).toISOString();
  const answer = await person.call("GET", `/api/jobs/${jobId}/timeline?from=${from}&to=${to}&pieces=5`);
  const timeline = answer.body as unknown as {
    total: number;
    pieces: { executions: number; changes: number; shown: { index: number; severity: string } }[];
  };
  expect(timeline.total).toBe(4998);
  expect(timeline.pieces.map(({ changes }) => changes)).toEqual([1, 1, 1, 1, 1]);
  expect(timeline.pieces[2]?.shown).toMatchObject({ index: 3000, severity: "critical" });
  const whole = await person.call("GET", `/api/jobs/${jobId}/timeline`);
  expect(whole.body.total).toBe(5000);
});

test("a list of only the changes is paged and has its own total", async () => {
  const { person, jobId } = await watchedJob();
  await addHistory(person.accountId, jobId, 5000);
  const numbers: number[] = [];
  let cursor = "";
  do {
    const answer = await person.call("GET", `/api/jobs/${jobId}/executions?only=changes&limit=2${cursor}`);
    const page = answer.body as unknown as {
      executions: { index: number; changed: boolean }[];
      nextCursor: string | null;
      total: number;
    };
    expect(page.total).toBe(6);
    numbers.push(...page.executions.map(({ index }) => index));
    cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : "";
  } while (cursor);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 1000, 2000, 3000, 4000, 5000]);
});

test("an export contains all of ten thousand executions", async () => {
  const { person, jobId } = await watchedJob();
  await addHistory(person.accountId, jobId, 10_000);
  // As after thinning: more executions were made than are stored.
  await sql`update jobs set executions = 20000 where id = ${jobId}`.execute(engine.app.db);
  const answer = await person.call("GET", `/api/jobs/${jobId}/export?format=csv`);
  expect(answer.raw.toString().trimEnd().split("\r\n")).toHaveLength(10_001);
  expect(answer.headers["x-executions"]).toBe("10000");
});

test("learned noise can be unlearned and is not learned again", async () => {
  const { person, jobId } = await watchedJob();
  const memory = {
    version: 1,
    captures: 4,
    pieces: {},
    slots: {
      "main > p": [
        { value: "a", sample: "x", changes: 4, first: 1, last: 4, twin: true, shape: { kinds: [] } },
      ],
    },
    seen: {},
    kept: [],
  };
  await sql`update job_memories set memory = ${JSON.stringify(memory)}::jsonb where job_id = ${jobId}`.execute(
    engine.app.db,
  );
  const before = await person.call("GET", `/api/jobs/${jobId}/noise`);
  expect(before.body).toMatchObject({ learned: [{ place: "main > p", why: "twin", times: 4 }], kept: [] });
  const answer = await person.call("POST", `/api/jobs/${jobId}/noise/unlearn`, { place: "main > p" });
  expect(answer.body.code).toBe("NOISE_UNLEARNED");
  const after = await person.call("GET", `/api/jobs/${jobId}/noise`);
  expect(after.body).toEqual({
    learned: [],
    kept: [{ place: "main > p", since: expect.any(String) }],
    answers: [],
    idleRules: [],
  });
});

test("an account has at most three exports under way, of whatever kind, and one that ended makes room", async () => {
  const { person, jobId } = await watchedJob();
  const paths = [
    `/api/jobs/${jobId}/export?format=zip`,
    `/api/jobs/${jobId}/export?format=wacz`,
    `/api/jobs/${jobId}/site/export?format=csv`,
    "/api/export",
  ];
  const statuses = async () => {
    const all = [];
    for (const path of paths) all.push((await person.call("GET", path)).status);
    return all;
  };
  const releases = [1, 2, 3].map(() => engine.app.exporting.take(person.accountId));
  expect(await statuses()).toEqual([429, 429, 429, 429]);
  releases[0]?.();
  // The third is refused, because the job watches no site; it makes room too.
  expect(await statuses()).toEqual([200, 200, 400, 200]);
  expect(await statuses()).toEqual([200, 200, 400, 200]);
  for (const release of releases) release();
});
