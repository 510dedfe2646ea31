import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WARCParser } from "warcio";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { buildVerifier } from "#evidence/build-verifier.ts";
import { makeDailySeals } from "#evidence/daily-seal.ts";
import { type ChainLine, hashText } from "#evidence/seal-format.ts";
import { queueOlderSeals } from "#evidence/seal-older.ts";
import { stampDailySeal } from "#evidence/stamp-daily-seal.ts";
import { main } from "#evidence/verify/main.ts";
import { thinHistory } from "#retention/delete-history.ts";
import { ExportFiles, packExport, unpackExport } from "../testing/export-files.ts";
import { startStampAuthority } from "../testing/stamp-authority.ts";

let authority: Awaited<ReturnType<typeof startStampAuthority>>;
let engine: Awaited<ReturnType<typeof startTestEngine>>;
let folder = "";
let builtVerifier: { main: typeof main };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "watchglass-evidence-"));
  const built = join(folder, "built-verifier.mjs");
  writeFileSync(built, buildVerifier());
  builtVerifier = (await import(pathToFileURL(built).href)) as typeof builtVerifier;
  authority = await startStampAuthority();
  engine = await startTestEngine({ environment: { TIMESTAMP_URL: authority.url } });
});
afterAll(async () => {
  await engine.close();
  await authority.close();
  rmSync(folder, { recursive: true });
});

type Person = Awaited<ReturnType<typeof engine.person>>;

const tomorrow = () => new Date(Date.now() + 86_400_000);

async function createWatchedJob(checks = 4) {
  const person = await engine.person();
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null, shade: 200 });
  const jobId = await person.createJob();
  await person.execution(jobId, 1);
  for (let i = 2; i <= checks; i++) {
    Object.assign(engine.site.page, { html: html(...story, `Paragraph ${i}.`), shade: 200 + i });
    await person.run(jobId);
  }
  return { person, jobId };
}

const exportZip = async (person: Person, jobId: string) =>
  (await person.call("GET", `/api/jobs/${jobId}/export?format=zip`)).raw;

/** The verifier's output and exit code for a file; its modules and the built file must agree. */
function runVerifier(file: Buffer, ...args: string[]): { code: number; output: string } {
  const path = join(folder, "export.zip");
  writeFileSync(path, file);
  const output: string[] = [];
  const code = main([path, ...args], (line) => output.push(line), buildVerifier());
  const builtOutput: string[] = [];
  const builtCode = builtVerifier.main([path, ...args], (line) => builtOutput.push(line), buildVerifier());
  expect([builtCode, builtOutput]).toEqual([code, output]);
  return { code, output: output.join("\n") };
}

const json = <T>(files: ExportFiles, name: string) => files.json<T>(name);
const lines = <T>(files: ExportFiles, name: string) => files.lines<T>(name);
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const seals = "chain/seals-000001.jsonl";

test("the verifier reports an export as intact, also when run from inside the export", async () => {
  const { person, jobId } = await createWatchedJob();
  engine.site.page.failure = { kind: "dns", message: "The name does not exist." };
  await person.run(jobId);
  const file = await exportZip(person, jobId);
  const { code, output } = runVerifier(file);
  expect(output).toContain("INTACT: consistent; nothing outside this archive proves when it was made.");
  expect(output).toMatch(
    /^5 executions of "http:\S+" in the chain, 5 with what was captured: \d+ parts as sealed\./,
  );
  expect(code).toBe(0);
  const files = unpackExport(file);
  expect(String(files.get("verify.mjs"))).toBe(buildVerifier());
  writeFileSync(join(folder, "verify.mjs"), files.get("verify.mjs") ?? "");
  const includedOutput = execFileSync(process.execPath, [
    join(folder, "verify.mjs"),
    join(folder, "export.zip"),
  ]).toString();
  expect(includedOutput.trim()).toBe(output);
  // The details of an execution include its seal.
  const [newest] = await person.executionsOf(jobId);
  const detail = await person.call("GET", `/api/jobs/${jobId}/executions/${newest?.id}`);
  expect(detail.body.seal).toEqual({ position: 5, hash: lines<ChainLine>(files, seals)[4]?.hash });
});

test("daily seals are chained, mailed and time-stamped, and vouch for the chain", async () => {
  const { person, jobId } = await createWatchedJob(2);
  expect((await person.call("PATCH", "/api/evidence", { mail: true })).status).toBe(200);
  // The first day has just ended, so that the next execution is sealed after it.
  await sql`update seal_heads set created_at = now() - interval '1 day' where job_id = ${jobId}`.execute(
    engine.app.db,
  );
  await makeDailySeals(engine.app.evidence, new Date());
  await makeDailySeals(engine.app.evidence, new Date());
  Object.assign(engine.site.page, { html: html(...story, "Another day.") });
  await person.run(jobId);
  await makeDailySeals(engine.app.evidence, tomorrow());
  const sealedDays = await engine.waitFor("both stamps", async () => {
    const { body } = await person.call("GET", "/api/evidence");
    const evidence = body as unknown as {
      days: { day: string; head: string; stampedAt: string | null; authority: string }[];
    };
    return evidence.days.length === 2 && evidence.days.every(({ stampedAt }) => stampedAt) && evidence;
  });
  expect(sealedDays).toMatchObject({ mail: true, stamps: true });
  expect(sealedDays.days[0]?.authority).toBe("CN=Test authority");
  // Alerts of changes are mailed too, at any time in between.
  const mail = await engine.waitFor("the mail of the first day", async () =>
    (await engine.mailsTo(person.email)).find(
      ({ subject }) => subject === `Daily fingerprint of ${sealedDays.days[1]?.day}`,
    ),
  );
  expect(mail.text).toContain(sealedDays.days[1]?.head);
  const file = await exportZip(person, jobId);
  const { code, output } = runVerifier(file, "--head", String(sealedDays.days[1]?.head));
  expect(code, output).toBe(0);
  expect(output).toMatch(
    /If you trust the time stamp of "CN=Test authority", positions 1 to 3 of the chain existed on \d{4}-\d\d-\d\d, unchanged since then\./,
  );
  expect(output).toMatch(
    /stamped \d{4}-\d\d-\d\dT[\d:]+Z by "CN=Test authority" \(certificate [\da-f]{64}\)\./,
  );
  expect(runVerifier(file, "--head", "a".repeat(64))).toMatchObject({
    code: 1,
    output: expect.stringContaining(
      "This chain doesn't contain the fingerprint you gave: it belongs to another chain.",
    ),
  });
});

test("a stamp authority that is down or answers wrongly costs only the stamp, and the problem is shown", async () => {
  const { person } = await createWatchedJob(1);
  const latestDay = async () => {
    const { body } = await person.call("GET", "/api/evidence");
    return (body as unknown as { days: { problem: string | null; stampedAt: string | null }[] }).days[0];
  };
  authority.state.answer = { status: 503, body: "" };
  await makeDailySeals(engine.app.evidence, tomorrow());
  await engine.waitFor("the problem", async () =>
    (await latestDay())?.problem?.includes("The time-stamping authority answered with status 503."),
  );
  // The queue retries at growing intervals; the test doesn't wait for it.
  const task = { accountId: person.accountId, day: new Date().toISOString().slice(0, 10) };
  authority.state.answer = { status: 200, body: "no stamp" };
  await expect(stampDailySeal(engine.app.evidence, task)).rejects.toThrow(
    "refused, or its answer isn’t a time stamp",
  );
  authority.state.answer = null;
  await stampDailySeal(engine.app.evidence, task);
  expect(await latestDay()).toMatchObject({ problem: null, stampedAt: expect.any(String) });
});

test("thinning keeps the digests of deleted executions, and the chain still holds", async () => {
  const { person, jobId } = await createWatchedJob(4);
  const earlierFiles = unpackExport(await exportZip(person, jobId));
  await sql`update executions set created_at = now() - interval '400 days' where job_id = ${jobId} and number < 3`.execute(
    engine.app.db,
  );
  await thinHistory(engine.app.db, [jobId], 365);
  const file = await exportZip(person, jobId);
  const { code, output } = runVerifier(file);
  expect(code, output).toBe(0);
  expect(output).toContain("Executions 1 to 2: no longer stored, only their digests are in the chain.");
  // Whoever has an older export can still prove what was deleted.
  const chain = lines<ChainLine>(unpackExport(file), seals);
  expect(hashText(String(earlierFiles.get("executions/000001.seal")))).toBe(chain[0]?.digest);
});

test("executions older than seals join the chain with the time of their sealing", async () => {
  const { person, jobId } = await createWatchedJob(3);
  const removeSeals = [
    sql`delete from seals where job_id = ${jobId} and number < 3`,
    sql`update seals set position = 1 where job_id = ${jobId}`,
    sql`update seal_heads set joined = false, position = 0, hash = null where job_id = ${jobId}`,
    sql`delete from seals where job_id = ${jobId}`,
  ];
  for (const statement of removeSeals) await statement.execute(engine.app.db);
  const beforeJoining = runVerifier(await exportZip(person, jobId));
  expect(beforeJoining.output).toContain("Executions 1 to 3: not in the chain yet, so no seal covers them.");
  await queueOlderSeals(engine.app.evidence);
  const joined = await engine.waitFor("the chain", async () => {
    const { rows } = await sql<{
      joined: boolean;
    }>`select joined from seal_heads where job_id = ${jobId}`.execute(engine.app.db);
    return rows[0]?.joined;
  });
  expect(joined).toBe(true);
  const file = await exportZip(person, jobId);
  expect(runVerifier(file).output).toContain("3 executions");
  expect(runVerifier(file).code).toBe(0);
  const { at, sealed } = json<{ at: string; sealed: string }>(unpackExport(file), "executions/000001.seal");
  expect(Date.parse(sealed)).toBeGreaterThan(Date.parse(at));
});

test("a job's chain is deleted with the job, and another account sees no daily seals", async () => {
  const { person, jobId } = await createWatchedJob(2);
  const other = await engine.person();
  expect((await other.call("GET", "/api/evidence")).body).toMatchObject({ days: [], mail: false });
  await person.call("DELETE", `/api/jobs/${jobId}`);
  await engine.waitFor("no seals", async () => {
    const { rows } = await sql`select from seals where job_id = ${jobId}`.execute(engine.app.db);
    return rows.length === 0;
  });
  expect((await person.call("PATCH", "/api/evidence", { mail: "yes" })).body).toMatchObject({
    message: expect.stringContaining("Choose whether to send the daily fingerprint by email."),
  });
});

test("an export's index page has no scripts and shows captured markup only as text", async () => {
  const { person, jobId } = await createWatchedJob(1);
  Object.assign(engine.site.page, { html: html(...story, "<b>&lt;script&gt;alert(1)&lt;/script&gt;</b>") });
  await person.run(jobId);
  const files = unpackExport(await exportZip(person, jobId));
  const page = String(files.get("index.html"));
  expect(page).toContain('<img loading="lazy" src="executions/000002.png"');
  expect(page).toContain("Content-Security-Policy");
  expect(page).not.toContain("<script");
});

let cachedExport: Buffer | undefined;
async function sealedExport(): Promise<Buffer> {
  if (cachedExport) return cachedExport;
  const { person, jobId } = await createWatchedJob(4);
  await makeDailySeals(engine.app.evidence, tomorrow());
  await engine.waitFor("the stamp", async () => {
    const { body } = await person.call("GET", "/api/evidence");
    return (body as unknown as { days: { stampedAt: string | null }[] }).days[0]?.stampedAt;
  });
  cachedExport = await exportZip(person, jobId);
  return cachedExport;
}

test.each([
  ["a file that is not a ZIP", async () => Buffer.from("hello"), "It is not a ZIP or WACZ file."],
  [
    "an incomplete download",
    async () => (await sealedExport()).subarray(0, 9000),
    "The end of the ZIP is missing",
  ],
  [
    "a ZIP of something else",
    () => packExport(new ExportFiles([["a.txt", Buffer.from("a")]])),
    "It is not an export of Watchglass: it has no chain.",
  ],
  [
    "an export without its chain",
    async () =>
      packExport(
        new ExportFiles(
          [...unpackExport(await sealedExport())].filter(([name]) => !name.startsWith("chain/seals")),
        ),
      ),
    "or the chain was removed.",
  ],
  [
    "an export whose job.json has a field twice",
    async () => {
      const files = unpackExport(await sealedExport());
      files.replace("job.json", '\n  "url"', '\n  "url": "https://other.example/",\n  "url"');
      return packExport(files);
    },
    "Its job.json is missing or cannot be read, so it's unknown which job the chain belongs to.",
  ],
  [
    "an export of a form that it doesn't know",
    async () => {
      const files = unpackExport(await sealedExport());
      files.replace("job.json", '"export 2"', '"export 3"');
      return packExport(files);
    },
    "This program doesn't know the format of the export: use a later version of the program.",
  ],
  [
    "the archive of an account without jobs",
    () => packExport(new ExportFiles([["watchglass.json", Buffer.from("{}")]])),
    "It is the archive of an account, but it has no job.",
  ],
])("the verifier explains why it can't check %s", async (_, make, sentence) => {
  const { code, output } = runVerifier(await make());
  expect(output).toContain(sentence);
  expect(code).toBe(2);
});

test("the verifier explains what is wrong with its arguments", () => {
  const output: string[] = [];
  const codes = [[], ["x", "--head", "zz"], [join(folder, "none.zip")], [folder]].map((args) =>
    main(args, (line) => output.push(line)),
  );
  expect(codes).toEqual([2, 2, 2, 2]);
  expect(output).toEqual([
    expect.stringContaining("Usage: node verify.mjs"),
    expect.stringContaining("64 hexadecimal digits"),
    "This file doesn't exist.",
    expect.stringContaining("This is a folder"),
  ]);
});

test("a WACZ export is readable by an independent reader, its digests match and the verifier accepts it", async () => {
  const { person, jobId } = await createWatchedJob(2);
  engine.site.page.failure = { kind: "dns", message: "The name does not exist." };
  await person.run(jobId);
  const answer = await person.call("GET", `/api/jobs/${jobId}/export?format=wacz`);
  expect(answer.headers["content-type"]).toBe("application/wacz");
  expect(runVerifier(answer.raw)).toMatchObject({ code: 0 });
  const files = unpackExport(answer.raw);
  const index = String(files.get("indexes/index.cdx")).trim().split("\n");
  expect(index).toEqual(index.toSorted());
  expect(index).toHaveLength(10);
  for (const line of index) {
    const entry = JSON.parse(line.slice(line.indexOf("{"))) as Record<string, string> & {
      offset: number;
      length: number;
    };
    const archive = files.get(`archive/${entry.filename}`) ?? Buffer.of();
    const compressedRecord = archive.subarray(entry.offset, entry.offset + entry.length);
    const record = await WARCParser.parse([compressedRecord]);
    const payload = Buffer.from((await record?.readFully(true)) ?? []);
    expect([record?.warcTargetURI, entry.digest]).toEqual([entry.url, `sha256:${hash(payload)}`]);
  }
  const types: (string | null | undefined)[] = [];
  for await (const record of new WARCParser([files.get("archive/000002.warc.gz") ?? Buffer.of()])) {
    types.push(`${record.warcType} ${record.warcTargetURI?.split(":")[1] ?? ""}`);
    if (record.warcType !== "response") continue;
    expect(record.httpHeaders?.statusCode).toBe(200);
    expect(record.httpHeaders?.headers.get("content-type")).toBe("text/html");
    expect(await record.contentText()).toBe(engine.site.page.html);
  }
  expect(types).toEqual([
    "warcinfo ",
    expect.stringContaining("response "),
    "resource dom",
    "resource text",
    "resource watchglass-facts",
    "resource fullPage",
  ]);
  const dataPackage = json<{
    wacz_version: string;
    resources: { path: string; hash: string; bytes: number }[];
  }>(files, "datapackage.json");
  expect(dataPackage.wacz_version).toBe("1.1.1");
  for (const { path, hash: sum, bytes } of dataPackage.resources) {
    expect([path, `sha256:${hash(files.get(path) ?? Buffer.of())}`]).toEqual([path, sum]);
    expect(files.get(path)).toHaveLength(bytes);
  }
  expect(json(files, "datapackage-digest.json")).toEqual({
    path: "datapackage.json",
    hash: `sha256:${hash(files.get("datapackage.json") ?? Buffer.of())}`,
  });
  const pages = lines<{ url?: string; ts?: string }>(files, "pages/pages.jsonl");
  expect(pages.slice(1).map(({ url }) => url)).toEqual(Array(2).fill("http://127.0.0.1:8080/1"));
});

test("followed values are sealed with the execution", async () => {
  const person = await engine.person();
  Object.assign(engine.site.page, {
    html: html(...story, "Price: 59.00 €"),
    status: 200,
    failure: null,
    shade: 200,
  });
  const values = [{ name: "price", by: "pattern", rule: "/Price: ([\\d.]+)/" }];
  const jobId = await person.createJob({ values });
  await person.execution(jobId, 1);
  const files = unpackExport(await exportZip(person, jobId));
  expect(json(files, "executions/000001.seal")).toMatchObject({ values: { price: { number: 59 } } });
  expect(runVerifier(await packExport(files)).code).toBe(0);
  files.replace("executions/000001.json", '"59.00"', '"9.00"');
  expect(runVerifier(await packExport(files)).output).toContain(
    "its record differs from its seal: followed value",
  );
});
