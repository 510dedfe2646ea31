import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WARCParser } from "warcio";
import { joinChains } from "#checks/join-chain.ts";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import {
  type ChainLine,
  type DayLine,
  type DayStatement,
  hashText,
  leafOf,
  linkOf,
  main,
} from "#checks/verify.ts";
import { zip } from "#history/export-zip.ts";
import { closeDays } from "#reports/close-days.ts";
import { stampDay } from "#reports/stamp-day.ts";
import { thinHistory } from "#storage/retention.ts";
import { startStampAuthority } from "../testing/stamp-authority.ts";

let authority: Awaited<ReturnType<typeof startStampAuthority>>;
let engine: Awaited<ReturnType<typeof startTestEngine>>;
let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "watchglass-evidence-"));
  authority = await startStampAuthority();
  engine = await startTestEngine({ environment: { TIMESTAMP_URL: authority.url } });
});
afterAll(async () => {
  await engine.close();
  await authority.close();
  rmSync(folder, { recursive: true });
});

type Person = Awaited<ReturnType<typeof engine.person>>;
type Files = Map<string, Buffer>;

const tomorrow = (days = 1) => new Date(Date.now() + days * 86_400_000);

async function watched(checks = 4) {
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

const exported = async (person: Person, jobId: string) =>
  (await person.call("GET", `/api/jobs/${jobId}/export?format=zip`)).raw;

/** What the program says of a file, and its exit code. */
function verdictOn(file: Buffer, ...args: string[]): { code: number; said: string } {
  const path = join(folder, "export.zip");
  writeFileSync(path, file);
  const said: string[] = [];
  const code = main([path, ...args], (line) => said.push(line));
  return { code, said: said.join("\n") };
}

/** Unpacks what our own ZIP writes; sums are checked elsewhere. */
function unpack(file: Buffer): Files {
  const files: Files = new Map();
  for (let at = 0; file.readUInt32LE(at) === 0x04034b50; ) {
    const start = at + 30 + file.readUInt16LE(at + 26);
    const bytes = file.subarray(start, start + file.readUInt32LE(at + 18));
    files.set(
      file.toString("utf8", at + 30, start),
      file.readUInt16LE(at + 8) === 8 ? inflateRawSync(bytes) : Buffer.from(bytes),
    );
    at = start + bytes.length;
  }
  return files;
}

async function pack(files: Files): Promise<Buffer> {
  async function* each() {
    for (const [name, bytes] of files) yield { name, bytes, modified: new Date(), compress: true };
  }
  const parts: Uint8Array[] = [];
  for await (const part of zip(each())) parts.push(part);
  return Buffer.concat(parts);
}

const json = <T>(files: Files, name: string) => JSON.parse(String(files.get(name))) as T;
const put = (files: Files, name: string, value: unknown) =>
  files.set(name, Buffer.from(JSON.stringify(value)));
const lines = <T>(files: Files, name: string) =>
  String(files.get(name))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
const putLines = (files: Files, name: string, list: unknown[]) =>
  files.set(name, Buffer.from(list.map((line) => `${JSON.stringify(line)}\n`).join("")));
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const seals = "chain/seals-000001.jsonl";
const days = "chain/days.jsonl";

test("an export says of itself that it is intact, by the program that stands in it too", async () => {
  const { person, jobId } = await watched();
  engine.site.page.failure = { kind: "dns", message: "The name does not exist." };
  await person.run(jobId);
  const file = await exported(person, jobId);
  const { code, said } = verdictOn(file);
  expect(said).toContain("INTACT: everything in this export is as it was sealed.");
  expect(said).toMatch(
    /^5 executions of http:\S+ in the chain, 5 with what was captured: \d+ parts as sealed\./,
  );
  expect(code).toBe(0);
  const files = unpack(file);
  writeFileSync(join(folder, "verify.mjs"), files.get("verify.mjs") ?? "");
  const alone = execFileSync(process.execPath, [
    join(folder, "verify.mjs"),
    join(folder, "export.zip"),
  ]).toString();
  expect(alone.trim()).toBe(said);
  // The seal of an execution is told where it is shown.
  const [newest] = await person.executionsOf(jobId);
  const detail = await person.call("GET", `/api/jobs/${jobId}/executions/${newest?.id}`);
  expect(detail.body.seal).toEqual({ position: 5, hash: lines<ChainLine>(files, seals)[4]?.hash });
});

test("days are chained, mailed and stamped, and vouch for the chain", async () => {
  const { person, jobId } = await watched(2);
  expect((await person.call("PATCH", "/api/evidence", { mail: true })).status).toBe(200);
  await closeDays(engine.app.evidence, tomorrow());
  await closeDays(engine.app.evidence, tomorrow());
  Object.assign(engine.site.page, { html: html(...story, "Another day.") });
  await person.run(jobId);
  await sql`update seal_heads set moved_at = now() + interval '30 hours' where job_id = ${jobId}`.execute(
    engine.app.db,
  );
  await closeDays(engine.app.evidence, tomorrow(2));
  const shown = await engine.waitFor("both stamps", async () => {
    const { body } = await person.call("GET", "/api/evidence");
    const evidence = body as unknown as {
      days: { day: string; head: string; stampedAt: string | null; authority: string }[];
    };
    return evidence.days.length === 2 && evidence.days.every(({ stampedAt }) => stampedAt) && evidence;
  });
  expect(shown).toMatchObject({ mail: true, stamps: true });
  expect(shown.days[0]?.authority).toBe("CN=Test authority");
  // Changes are mailed too, at any time between.
  const mail = await engine.waitFor("the mail of the first day", async () =>
    (await engine.mailsTo(person.email)).find(({ subject }) => subject === `Head of ${shown.days[1]?.day}`),
  );
  expect(mail.text).toContain(shown.days[1]?.head);
  const file = await exported(person, jobId);
  const { code, said } = verdictOn(file, "--head", String(shown.days[1]?.head));
  expect(code, said).toBe(0);
  expect(said).toContain("The days vouch for places 1 to 3.");
  expect(said).toMatch(/stamped \d{4}-\d\d-\d\dT[\d:]+Z by CN=Test authority\./);
  expect(verdictOn(file, "--head", "a".repeat(64))).toMatchObject({
    code: 1,
    said: expect.stringContaining("The hash you gave stands nowhere in this chain"),
  });
});

test("an authority that is down, refuses or lies costs only the stamp, and is said", async () => {
  const { person } = await watched(1);
  const problemOf = async () => {
    const { body } = await person.call("GET", "/api/evidence");
    return (body as unknown as { days: { problem: string | null; stampedAt: string | null }[] }).days[0];
  };
  authority.state.answer = { status: 503, body: "" };
  await closeDays(engine.app.evidence, tomorrow());
  await engine.waitFor("the problem", async () =>
    (await problemOf())?.problem?.includes("The stamp authority answered with status 503."),
  );
  // The queue tries again later and later; here it is not waited for.
  const task = { accountId: person.accountId, day: new Date().toISOString().slice(0, 10) };
  authority.state.answer = { status: 200, body: "no stamp" };
  await expect(stampDay(engine.app.evidence, task)).rejects.toThrow("refused, or its answer is no stamp");
  authority.state.answer = null;
  await stampDay(engine.app.evidence, task);
  expect(await problemOf()).toMatchObject({ problem: null, stampedAt: expect.any(String) });
});

test("thinning keeps the digests of what went, and the chain still holds", async () => {
  const { person, jobId } = await watched(4);
  const early = unpack(await exported(person, jobId));
  await sql`update executions set created_at = now() - interval '400 days' where job_id = ${jobId} and number < 3`.execute(
    engine.app.db,
  );
  await thinHistory(engine.app.db, [jobId], 365);
  const file = await exported(person, jobId);
  const { code, said } = verdictOn(file);
  expect(code, said).toBe(0);
  expect(said).toContain("2 executions are not kept any more; their digests stand in the chain.");
  // Who has an older export can still prove what went.
  const chain = lines<ChainLine>(unpack(file), seals);
  expect(hashText(String(early.get("executions/000001.seal")))).toBe(chain[0]?.digest);
});

test("executions of before there were seals join, and say when they did", async () => {
  const { person, jobId } = await watched(3);
  const forget = [
    sql`delete from seals where job_id = ${jobId} and number < 3`,
    sql`update seals set position = 1 where job_id = ${jobId}`,
    sql`update seal_heads set joined = false, position = 0, hash = null where job_id = ${jobId}`,
    sql`delete from seals where job_id = ${jobId}`,
  ];
  for (const one of forget) await one.execute(engine.app.db);
  const before = verdictOn(await exported(person, jobId));
  expect(before.said).toContain("Execution 1 has not joined the chain yet: nothing vouches for it.");
  await joinChains(engine.app.evidence);
  const joined = await engine.waitFor("the chain", async () => {
    const { rows } = await sql<{
      joined: boolean;
    }>`select joined from seal_heads where job_id = ${jobId}`.execute(engine.app.db);
    return rows[0]?.joined;
  });
  expect(joined).toBe(true);
  const file = await exported(person, jobId);
  expect(verdictOn(file).said).toContain("3 executions");
  expect(verdictOn(file).code).toBe(0);
  const { at, sealed } = json<{ at: string; sealed: string }>(unpack(file), "executions/000001.seal");
  expect(Date.parse(sealed)).toBeGreaterThan(Date.parse(at));
});

test("a job's chain goes with the job, and a stranger sees no days", async () => {
  const { person, jobId } = await watched(2);
  const other = await engine.person();
  expect((await other.call("GET", "/api/evidence")).body).toMatchObject({ days: [], mail: false });
  await person.call("DELETE", `/api/jobs/${jobId}`);
  await engine.waitFor("no seals", async () => {
    const { rows } = await sql`select from seals where job_id = ${jobId}`.execute(engine.app.db);
    return rows.length === 0;
  });
  expect((await person.call("PATCH", "/api/evidence", { mail: "yes" })).body).toMatchObject({
    message: expect.stringContaining("Say whether to mail the heads."),
  });
});

test("the page of an export shows it without scripts, and what pages say is only text there", async () => {
  const { person, jobId } = await watched(1);
  Object.assign(engine.site.page, { html: html(...story, "<b>&lt;script&gt;alert(1)&lt;/script&gt;</b>") });
  await person.run(jobId);
  const files = unpack(await exported(person, jobId));
  const page = String(files.get("index.html"));
  expect(page).toContain('<img loading="lazy" src="executions/000002.png"');
  expect(page).toContain("Content-Security-Policy");
  expect(page).not.toContain("<script");
});

/** Twenty ways to tamper, and what is said of each. */
const tampered: [string, (files: Files) => unknown, string[], boolean?][] = [
  [
    "a flipped byte of the HTML",
    (f) => flip(f, "executions/000002.html.txt"),
    ["Execution 2: the HTML was altered."],
  ],
  [
    "a flipped byte of the response",
    (f) => flip(f, "executions/000002.response.bin"),
    ["Execution 2: the response was altered."],
  ],
  [
    "another picture",
    async (f) => f.set("executions/000002.png", await onePixel(f)),
    ["Execution 2: the picture was altered."],
  ],
  ["a damaged picture", (f) => flip(f, "executions/000003.png"), ["Execution 3: the picture was altered"]],
  ["a missing picture", (f) => f.delete("executions/000003.png"), ["Execution 3: the picture is missing."]],
  ["a missing HTML", (f) => f.delete("executions/000001.html.txt"), ["Execution 1: the HTML is missing."]],
  [
    "other words on the page",
    (f) => edit(f, "executions/000002.facts.json", "Sentence number one", "Sentence number six"),
    ["Execution 2: the text was altered."],
  ],
  [
    "another header",
    (f) =>
      edit(f, "executions/000002.facts.json", '["content-type","text/html"]', '["content-type","text/xml"]'),
    ["Execution 2: the list of headers was altered."],
  ],
  [
    "another fact",
    (f) => edit(f, "executions/000002.facts.json", '"title":"A page"', '"title":"B page"'),
    ["Execution 2: the file of facts was altered."],
  ],
  [
    "another verdict",
    (f) => change(f, 2, (r) => Object.assign(r.verdict ?? {}, { similarity: 1 })),
    ["Execution 2: the verdict was altered."],
  ],
  ["no verdict", (f) => change(f, 2, (r) => (r.verdict = null)), ["Execution 2: the verdict is missing."]],
  [
    "another log",
    (f) => change(f, 2, (r) => Object.assign(r.log[0] ?? {}, { meta: "Nothing" })),
    ["Execution 2: the log was altered."],
  ],
  [
    "another time and summary",
    (f) => change(f, 2, (r) => Object.assign(r, { createdAt: "2020-01-01T00:00:00.000Z", summary: "Quiet" })),
    ["its record says another time, another summary than was sealed"],
  ],
  [
    "two executions exchanged",
    (f) => exchange(f, 2, 3),
    ["what stands there is execution 3; the two were exchanged", "what stands there is execution 2"],
  ],
  [
    "two pictures exchanged",
    (f) => swap(f, "executions/000002.png", "executions/000003.png"),
    ["Execution 2: the picture was altered: it is that of execution 3."],
  ],
  ["an execution taken out", (f) => take(f, 2), ["Execution 2: all that was kept of it is missing."]],
  [
    "an execution taken out of the chain too",
    (f) => (
      take(f, 2),
      putLines(
        f,
        seals,
        lines<ChainLine>(f, seals).filter((l) => l.number !== 2),
      )
    ),
    ["Place 2 is missing in the chain."],
  ],
  [
    "the newest cut off",
    (f) => (
      take(f, 4),
      putLines(f, seals, lines(f, seals).slice(0, 3)),
      edit(f, "job.json", '"length": 4', '"length": 3')
    ),
    ["is that of another chain than this one"],
  ],
  [
    "a seal written anew, the chain not",
    (f) => reseal(f, 2),
    ["Execution 2: what was recorded of it was altered."],
  ],
  [
    "a whole chain written anew",
    (f) => (reseal(f, 2), rechain(f)),
    ["is that of another chain than this one"],
  ],
  [
    "the days written anew too",
    (f) => (reseal(f, 2), rechain(f), redate(f)),
    ["does not hold: it stamps something else."],
    true,
  ],
  [
    "a stamp of another day",
    (f) =>
      putLines(
        f,
        days,
        lines<DayLine>(f, days).map((d) => ({ ...d, stamp: Buffer.from("no").toString("base64") })),
      ),
    ["does not hold: it cannot be read."],
  ],
  [
    "a stamp with a flipped byte",
    (f) =>
      putLines(
        f,
        days,
        lines<DayLine>(f, days).map((d) => ({ ...d, stamp: flipped(d.stamp) })),
      ),
    ["The stamp of"],
  ],
  ["the days taken out", (f) => f.delete(days), ["The file of days, chain/days.jsonl, is missing."]],
  [
    "a file slipped in",
    (f) => f.set("executions/000009.png", Buffer.from("x")),
    ["executions/000009.png belongs to no sealed execution."],
  ],
  ["a file beside", (f) => f.set("note.txt", Buffer.from("x")), ["note.txt is no part of an export."]],
  [
    "a chain line that is no line",
    (f) => f.set(seals, Buffer.concat([f.get(seals) ?? Buffer.of(), Buffer.from("{\n")])),
    ["A line of chain/seals-000001.jsonl cannot be read."],
  ],
];

const flip = (f: Files, name: string) => {
  const bytes = f.get(name);
  if (bytes) bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
};
const flipped = (stamp: string | null) => {
  const bytes = Buffer.from(stamp ?? "", "base64");
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
  return bytes.toString("base64");
};
const edit = (f: Files, name: string, from: string, to: string) => {
  const text = String(f.get(name));
  expect(text).toContain(from);
  f.set(name, Buffer.from(text.replace(from, to)));
};
type Loose = Record<string, unknown> & { verdict: object | null; log: { meta: string }[] };
const change = (f: Files, number: number, by: (record: Loose) => unknown) => {
  const name = `executions/00000${number}.json`;
  const record = json<Loose>(f, name);
  by(record);
  put(f, name, record);
};
const swap = (f: Files, a: string, b: string) => {
  const [one, two] = [f.get(a), f.get(b)];
  if (one && two) f.set(a, two).set(b, one);
};
const exchange = (f: Files, a: number, b: number) => {
  for (const ending of ["json", "seal", "html.txt", "response.bin", "facts.json", "png"])
    swap(f, `executions/00000${a}.${ending}`, `executions/00000${b}.${ending}`);
};
const take = (f: Files, number: number) => {
  for (const name of f.keys()) if (name.startsWith(`executions/00000${number}.`)) f.delete(name);
};
const onePixel = (f: Files) =>
  sharp(f.get("executions/000002.png"))
    .composite([
      { input: { create: { width: 1, height: 1, channels: 3, background: "red" } }, left: 3, top: 4 },
    ])
    .removeAlpha()
    .png()
    .toBuffer();
/** The words of an execution altered in record and seal alike. */
const reseal = (f: Files, number: number) => {
  const name = `executions/00000${number}.seal`;
  put(f, name, { ...json<object>(f, name), summary: "Nothing happened" });
  change(f, number, (record) => (record.summary = "Nothing happened"));
};
const rechain = (f: Files) => {
  const chain = lines<ChainLine>(f, seals);
  let previous = hashText(`watchglass chain ${json<{ id: string }>(f, "job.json").id}`);
  for (const line of chain) {
    line.digest = hashText(String(f.get(`executions/00000${line.number}.seal`)));
    line.hash = previous = linkOf(previous, line.digest);
  }
  putLines(f, seals, chain);
};
const redate = (f: Files) => {
  const { id } = json<{ id: string }>(f, "job.json");
  const last = lines<ChainLine>(f, seals).at(-1);
  const made = lines<DayLine>(f, days).map((line) => {
    const day = JSON.parse(line.statement) as DayStatement;
    const statement = JSON.stringify({ ...day, heads: [leafOf(id, 4, last?.hash ?? "")] });
    return { ...line, statement, hash: hashText(statement) };
  });
  putLines(f, days, made);
};

let whole: Buffer | undefined;
async function wholeExport(): Promise<Buffer> {
  if (whole) return whole;
  const { person, jobId } = await watched(4);
  await closeDays(engine.app.evidence, tomorrow());
  await engine.waitFor("the stamp", async () => {
    const { body } = await person.call("GET", "/api/evidence");
    return (body as unknown as { days: { stampedAt: string | null }[] }).days[0]?.stampedAt;
  });
  whole = await exported(person, jobId);
  return whole;
}

test.each(tampered)("the verifier sees %s", async (_, tamper, sentences) => {
  const files = unpack(await wholeExport());
  expect(verdictOn(await pack(files)).code).toBe(0);
  await tamper(files);
  const { code, said } = verdictOn(await pack(files));
  for (const sentence of sentences) expect(said).toContain(sentence);
  expect(code).toBe(1);
});

test.each([
  ["no ZIP", async () => Buffer.from("hello"), "It is not a ZIP or WACZ file."],
  [
    "half a download",
    async () => (await wholeExport()).subarray(0, 9000),
    "It is a ZIP whose end is missing",
  ],
  [
    "another ZIP",
    () => pack(new Map([["a.txt", Buffer.from("a")]])),
    "It is not an export of Watchglass: it has no chain.",
  ],
  [
    "an export without its chain",
    async () =>
      pack(new Map([...unpack(await wholeExport())].filter(([name]) => !name.startsWith("chain/seals")))),
    "or the chain was taken out.",
  ],
  [
    "a list of files that is damaged",
    async () => {
      const file = Buffer.from(await wholeExport());
      file.writeUInt32LE(7, file.length - 6);
      return file;
    },
    "whose list of files is damaged",
  ],
])("the verifier says of %s why it cannot be checked", async (_, make, sentence) => {
  const { code, said } = verdictOn(await make());
  expect(said).toContain(sentence);
  expect(code).toBe(2);
});

test("bad arguments are answered with what to say", () => {
  const said: string[] = [];
  const codes = [[], ["x", "--head", "zz"], [join(folder, "none.zip")], [folder]].map((args) =>
    main(args, (line) => said.push(line)),
  );
  expect(codes).toEqual([2, 2, 2, 2]);
  expect(said).toEqual([
    expect.stringContaining("Say which file to check"),
    expect.stringContaining("64 hexadecimal digits"),
    "There is no such file.",
    expect.stringContaining("This is a folder"),
  ]);
  expect(readFileSync(join(import.meta.dirname, "../../checks/verify.ts"), "utf8")).not.toMatch(
    /from "(?!node:)/,
  );
});

test("as WACZ: an independent reader finds every record, digests hold, and the verifier checks it", async () => {
  const { person, jobId } = await watched(2);
  engine.site.page.failure = { kind: "dns", message: "The name does not exist." };
  await person.run(jobId);
  const answer = await person.call("GET", `/api/jobs/${jobId}/export?format=wacz`);
  expect(answer.headers["content-type"]).toBe("application/wacz");
  expect(verdictOn(answer.raw)).toMatchObject({ code: 0 });
  const files = unpack(answer.raw);
  const index = String(files.get("indexes/index.cdx")).trim().split("\n");
  expect(index).toEqual(index.toSorted());
  expect(index).toHaveLength(10);
  for (const line of index) {
    const entry = JSON.parse(line.slice(line.indexOf("{"))) as Record<string, string> & {
      offset: number;
      length: number;
    };
    const archive = files.get(`archive/${entry.filename}`) ?? Buffer.of();
    const one = archive.subarray(entry.offset, entry.offset + entry.length);
    const record = await WARCParser.parse([one]);
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
  const about = json<{ wacz_version: string; resources: { path: string; hash: string; bytes: number }[] }>(
    files,
    "datapackage.json",
  );
  expect(about.wacz_version).toBe("1.1.1");
  for (const { path, hash: sum, bytes } of about.resources) {
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

test("values that a job follows are sealed with it", async () => {
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
  const files = unpack(await exported(person, jobId));
  expect(json(files, "executions/000001.seal")).toMatchObject({ values: { price: { number: 59 } } });
  expect(verdictOn(await pack(files)).code).toBe(0);
  change(files, 1, (record) => (record.values = { price: { text: "9.00", number: 9 } }));
  expect(verdictOn(await pack(files)).said).toContain(
    "its record says another followed value than was sealed",
  );
});

test("the verifier sees a WACZ whose capture was altered, or taken out", async () => {
  const { person, jobId } = await watched(2);
  const raw = (await person.call("GET", `/api/jobs/${jobId}/export?format=wacz`)).raw;
  const files = unpack(raw);
  const archive = gunzipSync(files.get("archive/000002.warc.gz") ?? Buffer.of()).toString("latin1");
  files.set(
    "archive/000002.warc.gz",
    gzipSync(Buffer.from(archive.replaceAll("Paragraph 2", "Paragraph 9"), "latin1")),
  );
  expect(verdictOn(await pack(files)).said).toContain("Execution 2: the HTML was altered.");
  files.delete("archive/000002.warc.gz");
  expect(verdictOn(await pack(files)).said).toContain("Execution 2: the picture is missing.");
});
