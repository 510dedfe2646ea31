import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type SharedEngine, sharedEngine, startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { SearchResults } from "#contract/page-block.ts";
import * as reading from "#import-export/account-archive/thread.ts";
import { queueHistoryIndexing } from "#page-index/index-history.ts";
import { openZip } from "#zip/read-zip.ts";
import { type ZipEntry, zip } from "#zip/write-zip.ts";
import { sendImport, sendImportWithProgress } from "../testing/send-import.ts";

// Two installations, each with its own database, keys and blobs: what one exports, the other imports.
let source: SharedEngine;
let target: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  [source, target] = await Promise.all([sharedEngine(), startTestEngine()]);
});
afterAll(() => target.close());

type Engine = typeof source;
type Person = Awaited<ReturnType<Engine["person"]>>;
const price = (euros: number) => html(...story, `Fjell lamp <b id="price">${euros}.00</b> €`);
const settings = {
  frequency: 90,
  selector: "main",
  awaited: true,
  ignore: [".ad", "/\\d+ views/"],
  lookup: { strings: ["In stock"], when: "appears" },
  waitFor: { seconds: 2 },
  alertIf: {
    match: "any",
    conditions: [{ what: "number", name: "price", is: "down", amount: 5, percent: true }],
  },
  values: [{ name: "price", by: "selector", rule: "#price" }],
  schedule: { zone: "Europe/Berlin", cron: "0 6 * * 1-5" },
  tellFailures: { down: 3, gone: 10 },
  request: {
    method: "POST",
    as: "json",
    body: '{"day":"{{date:yyyy-MM-dd}}"}',
    userAgent: "Mozilla/5.0 Test",
    language: "de-DE",
  },
  channels: ["email", "discord"],
  headers: [{ name: "X-Secret", value: "hunter2" }],
};
const groupDefaults = {
  headers: [{ name: "X-Group", value: "hunter3" }],
  ignore: [".cookie"],
  channels: ["email"],
  tellFailures: { down: 1, gone: 1 },
  schedule: { zone: "UTC", cron: "30 5 * * *" },
  alertIf: { match: "all", conditions: [{ what: "only", is: "additions" }] },
};
const deliverySchedule = {
  important: "at-once",
  notice: "daily",
  dailyAt: 7,
  quiet: { from: 22, to: 6 },
  zone: "UTC",
};

/** Fields that differ in another installation: ids, seals and deliveries. */
const installationFields = "id jobId baselineId previousId nextId seal imported deliveries passedOver".split(
  " ",
);
const omit = (given: object, names: string[]) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

/** Everything that a user can read of a job, without what must differ in another installation. */
async function readJob(person: Person, name: string) {
  const jobs = (await person.call("GET", "/api/jobs")).body.jobs as unknown as { id: string; name: string }[];
  const id = jobs.find((job) => job.name === name)?.id ?? "";
  const job = (await person.call("GET", `/api/jobs/${id}`)).body as unknown as Record<string, unknown> & {
    group: { name: string };
    executions: { id: string; index: number }[];
  };
  const { group, executions, ...fields } = job;
  const noise = (await person.call("GET", `/api/jobs/${id}/noise`)).body;
  const history = [];
  for (const execution of executions.toReversed()) {
    const read = async (part: string) =>
      (await person.call("GET", `/api/jobs/${id}/executions/${execution.id}${part}`)).raw.toString("base64");
    const detail = (await person.call("GET", `/api/jobs/${id}/executions/${execution.id}`))
      .body as unknown as Record<string, unknown>;
    const { baselineId, seal } = detail;
    const parts = [await read("/html"), await read("/text"), await read("/image")];
    const position = (seal as { position: number } | null)?.position;
    history.push({ ...omit(detail, installationFields), hasBaseline: baselineId !== null, position, parts });
  }
  return { ...omit(fields, ["id", "groupId", "headers", "inherited"]), group: group.name, noise, history };
}
async function groupsOf(person: Person) {
  const groups = (await person.call("GET", "/api/jobs/groups")).body as unknown as {
    id: string;
    name: string;
  }[];
  return Promise.all(
    groups.map(async ({ id, name }) => {
      const { body } = await person.call("GET", `/api/jobs/groups/${id}`);
      return { name, settings: omit(body.settings as unknown as object, ["headers"]) };
    }),
  );
}

let archive: Uint8Array<ArrayBuffer>;

test("an exported account imports elsewhere with equal settings, groups, delivery schedules, messages and history", async () => {
  const exporter = await source.person();
  const shops = await exporter.call("POST", "/api/jobs/groups", { name: "Shops" });
  await exporter.call("POST", "/api/jobs/groups", { name: "Empty" });
  expect(
    (await exporter.call("PUT", `/api/jobs/groups/${shops.body.id}/settings`, groupDefaults)).status,
  ).toBe(200);
  expect((await exporter.call("PUT", "/api/me/channels/email/pace", deliverySchedule)).status).toBe(200);
  const template = { title: "{{title}}!", text: "**{{message}}**\n{{words}}" };
  expect((await exporter.call("PUT", "/api/me/channels/email/template", template)).status).toBe(200);
  source.site.page.html = price(59);
  const jobId = await exporter.createJob({ name: "Lamp", groupId: shops.body.id, ...settings });
  await exporter.execution(jobId, 1);
  source.site.page.html = price(64);
  source.site.page.shade = 120;
  await exporter.run(jobId);
  source.site.next.push({ failure: { kind: "dns", message: "The name was not found." } });
  await exporter.run(jobId);
  const plain = await exporter.createJob({ name: "Plain" });
  await exporter.execution(plain, 1);
  source.site.page.html = price(65);
  const priceChange = await exporter.run(plain);
  const marked = await exporter.call("POST", `/api/jobs/${plain}/executions/${priceChange.id}/noise`, {});
  expect(marked.status).toBe(200);
  source.site.page.html = price(64);
  await exporter.call("POST", `/api/jobs/${plain}/status/PAUSED`);

  expect((await exporter.call("POST", "/api/keys", { name: "Deploy", scope: "read" })).status).toBe(200);
  expect((await exporter.call("POST", "/api/feeds", {})).status).toBe(200);
  for (const [name, query] of [
    ["Failing", "status=failing"],
    ["Shops", "group=shops"],
  ])
    expect((await exporter.call("PUT", "/api/me/views", { name, query })).status).toBe(200);
  const [group] = (await exporter.call("GET", "/api/jobs/groups")).body as unknown as { id: string }[];
  const voucher = { name: "Voucher", q: "voucher", groupIds: [group?.id] };
  expect((await exporter.call("POST", "/api/search-alerts", voucher)).status).toBe(200);

  const exported = await exporter.call("GET", "/api/export");
  expect(exported.raw.includes("hunter")).toBe(false);
  archive = new Uint8Array(exported.raw);
  const importer = await target.person();
  await importer.call("PUT", "/api/me/views", { name: "Failing", query: "status=paused" });
  target.site.page.html = price(64);
  target.site.page.shade = 120;
  const release = target.site.pause();
  const dryRunReply = await sendImport(target, importer, archive, true);
  expect(dryRunReply.body).toMatchObject({ format: "Watchglass", taken: 2 });
  const item = dryRunReply.body.items.find(({ name }) => name === "Lamp");
  expect(item?.more).toEqual([
    "Requested by POST.",
    "Requested as another browser.",
    "Requested in de-DE.",
    "Alerts only if: price down by 5%.",
    "Follows price.",
    "Checked on its own schedule.",
    "Has its own rule for failed checks.",
    "Alerts by email, discord.",
    "3 executions with their captures.",
  ]);
  expect(item?.notes).toEqual(["Enter again, because archives contain no secrets: the headers X-Secret."]);
  expect(dryRunReply.body.channels).toEqual([
    "Create again, because archives don’t contain it: the API key Deploy.",
    "Create again, because archives don’t contain it: a feed address.",
    "The group Shops has its defaults.",
    "Enter again, because archives contain no secrets: the headers X-Group of Shops.",
    "Email keeps its quiet hours and digests.",
    "Email keeps its message.",
    "The saved view Shops is added.",
    "The search alert Voucher is added.",
  ]);
  expect((await importer.call("GET", "/api/me/templates")).body.templates).toEqual({});

  const importReply = await sendImport(target, importer, archive);
  expect({ ...importReply.body, dryRun: true }).toEqual(dryRunReply.body);
  expect(JSON.stringify((await readJob(exporter, "Plain")).noise)).toContain("65.00");
  for (const name of ["Lamp", "Plain"]) {
    const [original, imported] = [await readJob(exporter, name), await readJob(importer, name)];
    // An imported job starts again at zero failures and without trouble.
    const {
      nextRunAt: _,
      activity: __,
      failures: ___,
      trouble: ____,
      ...expected
    } = original as Record<string, unknown>;
    expect(imported).toMatchObject(expected);
  }
  expect(await groupsOf(importer)).toEqual(expect.arrayContaining(await groupsOf(exporter)));
  expect((await importer.call("GET", "/api/me/paces")).body).toEqual(
    (await exporter.call("GET", "/api/me/paces")).body,
  );
  expect((await importer.call("GET", "/api/me/templates")).body.templates).toEqual({ email: template });
  const { alerts } = (await importer.call("GET", "/api/search-alerts")).body as unknown as {
    alerts: { name: string; q: string; groupIds: string[] }[];
  };
  expect(alerts).toMatchObject([{ name: "Voucher", q: "voucher", groupIds: [expect.any(String)] }]);
  // A view that exists here stays.
  const { views } = (await importer.call("GET", "/api/me/views")).body as unknown as {
    views: { name: string; query: string }[];
  };
  expect(views.map(({ name, query }) => [name, query])).toEqual([
    ["Failing", "status=paused"],
    ["Shops", "group=shops"],
  ]);

  // What the archive brought can be searched as soon as the background task has indexed it.
  const lines = async () =>
    (await importer.call("GET", "/api/search?q=Fjell+lamp+59")).body as unknown as SearchResults;
  expect((await lines()).jobsToIndex).toBe(2);
  await queueHistoryIndexing(target.app);
  await target.waitFor("the index", async () => (await lines()).jobsToIndex === 0);
  expect((await lines()).lines).toMatchObject([
    { text: "Fjell lamp 59.00 €", pages: 1, pagesNow: 0, goneAt: expect.any(String) },
  ]);

  // The next checks continue the history: first the page is unchanged, then it changes.
  release();
  const jobs = (await importer.call("GET", "/api/jobs")).body.jobs as unknown as {
    id: string;
    name: string;
  }[];
  const lamp = jobs.find(({ name }) => name === "Lamp")?.id ?? "";
  expect(await importer.execution(lamp, 4)).toMatchObject({
    changed: false,
    summary: "No change",
    error: null,
  });
  expect(target.site.requests.at(-1)?.ask).toMatchObject({ method: "POST" });
  target.site.page.html = price(50);
  expect(await importer.run(lamp)).toMatchObject({
    changed: true,
    summary: expect.stringContaining("64.00"),
  });
  // The chain of seals is complete; it was started anew by the import.
  const detail = await importer.call(
    "GET",
    `/api/jobs/${lamp}/executions/${(await importer.executionsOf(lamp))[0]?.id}`,
  );
  expect(detail.body.seal).toMatchObject({ position: 5 });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** The archive's files, unpacked once. */
let unpacked: Promise<Map<string, Buffer>>;
async function unpack(): Promise<Map<string, Buffer>> {
  const opened = await openZip(Buffer.from(archive), 1000);
  const files = new Map<string, Buffer>();
  for (const name of opened.entries.keys()) files.set(name, await opened.read(name));
  return files;
}

/** The archive with the last file of a matching name changed, or left out. */
async function changeFile(name: RegExp, edit: (bytes: Buffer) => Buffer | Promise<Buffer> | null) {
  unpacked ??= unpack();
  const files = new Map(await unpacked);
  const fileName = [...files.keys()].findLast((file) => name.test(file)) ?? "";
  const edited = await edit(files.get(fileName) ?? Buffer.alloc(0));
  if (edited) files.set(fileName, edited);
  else files.delete(fileName);
  return pack(files);
}

async function pack(files: Map<string, Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [fileName, bytes] of files)
      yield { name: fileName, bytes, modified: new Date(0), compress: bytes.length < 10_000 };
  }
  return new Uint8Array(Buffer.concat(await collect(zip(entries()))));
}

/** Everything that an import could leave behind. */
async function leftoversOf({ accountId, call }: Person) {
  const { db, jobs } = target.app;
  const count = async (table: "jobs" | "executions" | "contents" | "seal_heads") =>
    (await db.selectFrom(table).select("account_id").where("account_id", "=", accountId).execute()).length;
  const blobs = (await collect(jobs.blobs.list())).filter(({ owner }) => owner === accountId);
  const usage = await db
    .selectFrom("account_usage")
    .select("stored_bytes")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return {
    jobs: await count("jobs"),
    executions: await count("executions"),
    contents: await count("contents"),
    chains: await count("seal_heads"),
    blobs: blobs.length,
    storedBytes: usage?.stored_bytes ?? 0,
    groups: ((await call("GET", "/api/jobs/groups")).body as unknown as { name: string }[]).map(
      ({ name }) => name,
    ),
    templates: (await call("GET", "/api/me/templates")).body.templates,
  };
}
const noLeftovers = {
  jobs: 0,
  executions: 0,
  contents: 0,
  chains: 0,
  blobs: 0,
  storedBytes: 0,
  groups: ["Group"],
  templates: {},
};

let sharedPerson: Promise<Person> | undefined;
const json = (change: (value: Record<string, unknown>) => object) => (bytes: Buffer) =>
  Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString()))));
const picture = (bytes: Buffer) => sharp(bytes).negate({ alpha: false }).png().toBuffer();
const broken: [what: string, name: RegExp, edit: Parameters<typeof changeFile>[1], message: RegExp][] = [
  ["a forged page", /html\.txt$/, () => Buffer.from("<p>Forged</p>"), /html\.txt is not what was sealed/],
  ["a forged response", /response\.bin$/, () => Buffer.from("x"), /response\.bin is not what was sealed/],
  ["a forged picture", /\.png$/, picture, /\.png is not what was sealed/],
  ["an invalid picture", /\.png$/, () => Buffer.from("PNG"), /\.png isn’t a picture/],
  [
    "a forged summary",
    /\d\.json$/,
    json((value) => ({ ...value, summary: "Fine" })),
    /\d\.json is not what was/,
  ],
  [
    "a forged verdict",
    /000002\.json$/,
    json((value) => ({ ...value, verdict: null })),
    /\d\.json is not what was/,
  ],
  [
    "a forged value where only an import reads it",
    /000002\.json$/,
    json((value) => ({
      ...value,
      kept: { ...(value.kept as object), followed: { Price: { text: "1 €", number: 1 } } },
    })),
    /000002\.json is not what was sealed/,
  ],
  ["a forged seal", /\.seal$/, json((value) => ({ ...value, parts: {} })), /\.seal is not what was sealed/],
  [
    "a forged hash in the chain",
    /seals-\d+\.jsonl$/,
    (bytes) => Buffer.from(bytes.toString().replace(/"digest":"./, '"digest":"x')),
    /The chain of seals is broken at position 1 of /,
  ],
  ["a missing page", /html\.txt$/, () => null, /html\.txt is missing/],
  ["a missing picture", /\.png$/, () => null, /\.png is missing/],
  ["a missing record", /\d\.json$/, () => null, /\d\.json is missing/],
  ["a missing seal", /\.seal$/, () => null, /\.seal is missing/],
  ["a missing chain", /seals-\d+\.jsonl$/, () => null, /ends at position 0 of \d/],
  ["a missing job description", /job\.json$/, () => null, /job\.json is missing/],
  ["a record of the wrong shape", /\d\.json$/, () => Buffer.from('{"id":1}'), /\d\.json is not whole/],
  ["a noise memory that is not JSON", /noise\.json$/, () => Buffer.from("{"), /noise\.json is not JSON/],
  // Refused by the database, after all captures are stored and all jobs are created.
];

/** The refusal by the thread that reads an archive's history, called step by step as an import does. */
async function refusalOf(file: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-archive-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "archive.zip");
  await writeFile(path, file);
  const { entries } = await openZip(Buffer.from(file), 1000);
  const executionFiles = [...entries.keys()].filter((name) => name.includes("/executions/"));
  const jobs = [...new Set(executionFiles.map((name) => name.slice(0, name.indexOf("/executions/"))))];
  const opened = await reading.open({ file: path, folders: jobs });
  if ("refusal" in opened) return opened.refusal;
  for (const [n, job] of jobs.entries()) {
    const started = await reading.begin(job);
    if ("refusal" in started) return started.refusal;
    for (let at = 0; at < (opened.value.counts[n] ?? 0); at++) {
      const read = await reading.readExecution({ folder: job, at });
      if ("refusal" in read) return read.refusal;
    }
  }
  return "none";
}

/** Why an archive is refused: by a whole import, with what it left behind, or only by the reading thread. */
async function refuse(file: Uint8Array<ArrayBuffer>, isImported: boolean) {
  if (!isImported) return { why: await refusalOf(file) };
  // All imports share one person, because none of them leaves anything behind.
  const person = await (sharedPerson ??= target.person());
  const { status, body } = await sendImport(target, person, file);
  return { why: status === 400 ? body.message : `answered with ${status}`, left: await leftoversOf(person) };
}
const refusalSentence = expect.stringMatching(/^We can’t import this archive: .*\. Nothing was imported\.$/);

// An import starts a thread and queries the database a hundred times. So only one archive per stage of refusal is
// imported: its chain, a capture after others were stored, its pictures, its rows. The long set imports all of them.
const importedCases = [
  "a forged page",
  "a forged hash in the chain",
  "a forged picture",
  "an invalid picture",
];
const isLong = process.env.TEST_SIZE === "long";

test("the thread that reads an archive's history accepts an unchanged archive", async () => {
  expect(await refusalOf(archive)).toBe("none");
});

test.for(broken)(
  "an archive with %s is refused with a message, and nothing of it is imported",
  async ([what, name, edit, message]) => {
    const isImported = isLong || importedCases.includes(what);
    const refused = await refuse(await changeFile(name, edit), isImported);
    expect(refused).toEqual({ why: refusalSentence, ...(isImported && { left: noLeftovers }) });
    expect(refused.why).toMatch(message);
  },
);

/** The archive as its owner could forge it: without seals, so that nothing in it is verified. */
async function forgeArchive(
  edits: Record<string, (value: Record<string, unknown>) => object>,
  replaced: Record<string, Buffer> = {},
) {
  unpacked ??= unpack();
  const files = new Map(await unpacked);
  for (const name of files.keys()) if (/\/chain\/|\.seal$/.test(name)) files.delete(name);
  for (const [name, bytes] of files) {
    const edit = name.endsWith("job.json")
      ? (value: Record<string, unknown>) => ({ ...value, chain: undefined })
      : Object.entries(edits).find(([ending]) => name.endsWith(ending))?.[1];
    if (edit) files.set(name, json(edit)(bytes));
    const [, other] = Object.entries(replaced).find(([ending]) => name.endsWith(ending)) ?? [];
    if (other) files.set(name, other);
  }
  return pack(files);
}

test("an archive without seals with a number that the database can't store is refused, and nothing is imported", async () => {
  const edit = (value: Record<string, unknown>) => ({ ...value, durationMs: 3e9 });
  const refused = await refuse(await forgeArchive({ "executions/000001.json": edit }), true);
  expect(refused).toEqual({ why: refusalSentence, left: noLeftovers });
  expect(refused.why).toMatch(/A value in it/);
});

const many = (length: number, make: (n: number) => object) => Array.from({ length }, (_, n) => make(n));
test.for<[string, Parameters<typeof forgeArchive>[0], RegExp]>([
  [
    "with invalid cookies",
    { "facts.json": (record) => ({ ...record, cookies: [null] }) },
    /facts\.json is not whole: cookies\.0/,
  ],
  [
    "with a noise memory that no check could store",
    { "noise.json": (record) => ({ ...record, seen: { ...many(5_000, () => ({})).map(() => 1) } }) },
    /noise\.json is not whole: seen/,
  ],
  [
    "with a time in its noise memory that is none",
    { "noise.json": (record) => ({ ...record, kept: ["main"], dates: { main: "yesterday" } }) },
    /noise\.json is not whole: dates\.main/,
  ],
  [
    "with half a millisecond, which no reply may hold",
    {
      "000002.json": (record) => ({
        ...record,
        kept: {
          ...(record.kept as object),
          stages: { wait: 0, capture: 1.5, confirm: 0, compare: 0, store: 0 },
        },
      }),
    },
    /000002\.json is not whole: kept\.stages\.capture/,
  ],
  [
    "with a file named after another execution",
    { "000002.json": (record) => ({ ...record, index: 3 }) },
    /000002\.json is named after another execution/,
  ],
])("a forged archive %s is refused, and nothing of it is imported", async ([, edits, message]) => {
  const refused = await refuse(await forgeArchive(edits), isLong);
  expect(refused).toEqual({ why: refusalSentence, ...(isLong && { left: noLeftovers }) });
  expect(refused.why).toMatch(message);
});

test.for<[part: string, ending: string]>([
  ["HTML", "html.txt"],
  ["response", "response.bin"],
])("a forged archive whose %s is larger than a capture can be is refused", async ([, ending]) => {
  const large = Buffer.alloc(21 * 1024 * 1024, "x");
  const refused = await refuse(await forgeArchive({}, { [ending]: large }), false);
  expect(refused.why).toMatch(/^We can’t import this archive: .* is larger than a capture can be\./);
  expect(refused.why).toContain(ending);
});

test("a forged verdict is cut to what a check stores, unknown fields are dropped, and it can be compared", async () => {
  const person = await target.person();
  const pause = target.site.pause();
  onTestFinished(pause);
  const mark = "not-for-the-answering-thread";
  const verdict = {
    changed: true,
    similarity: 50,
    severity: "notice",
    summary: "Text",
    reasons: [
      {
        kind: "text",
        severity: "notice",
        summary: "Text",
        count: 8_000,
        changes: many(8_000, (n) => ({
          where: "main",
          before: `${n} ${"b".repeat(100)}`,
          after: "c".repeat(100),
        })),
        secret: mark.repeat(1_000),
      },
    ],
    findings: [],
    hunks: many(5_000, (n) => ({ oldStart: n, newStart: n, removed: ["x".repeat(50)], added: [] })),
    regions: [],
    ignored: many(2_000, () => ({ place: "", before: null, after: "x", why: "learned" })),
    junk: mark.repeat(1_000),
  };
  const file = await forgeArchive({
    "000002.json": (record) => ({ ...record, verdict }),
    "facts.json": (record) => ({ ...record, junk: mark.repeat(1_000), chosen: [{}] }),
  });
  const parsing = vi.spyOn(JSON, "parse");
  const importReply = await sendImport(target, person, file);
  // The thread that answers calls parses nothing of the file.
  const parsedTexts = parsing.mock.calls.filter(([text]) => String(text).includes(mark));
  parsing.mockRestore();
  expect([importReply.status, parsedTexts.length]).toEqual([200, 0]);
  const jobs = (await person.call("GET", "/api/jobs")).body.jobs as unknown as { id: string; name: string }[];
  const jobId = jobs.find(({ name }) => name === "Plain")?.id ?? "";
  const [second, first] = await person.executionsOf(jobId);
  const detail = await person.call("GET", `/api/jobs/${jobId}/executions/${second?.id}`);
  const compared = await person.call("GET", `/api/jobs/${jobId}/compare?from=${first?.id}&to=${second?.id}`);
  const reversed = await person.call("GET", `/api/jobs/${jobId}/compare?from=${second?.id}&to=${first?.id}`);
  for (const { status, raw } of [detail, compared, reversed]) {
    expect(status).toBe(200);
    expect(raw.length).toBeLessThan(1_000_000);
    expect(raw.includes(mark)).toBe(false);
  }
  const verdictShown = detail.body.verdict as unknown as { reasons: { count: number; changes: object[] }[] };
  expect(verdictShown.reasons[0]?.count).toBe(8_000);
  expect(verdictShown.reasons[0]?.changes.length).toBeGreaterThan(1_000);
});

test("an archive in which two jobs have the same history is refused", async () => {
  const person = await (sharedPerson ??= target.person());
  const file = await forgeArchive({
    "watchglass.json": (list) => {
      const [job = {}] = list.jobs as object[];
      return { ...list, jobs: [job, { ...job, name: "Twice" }] };
    },
  });
  const refused = await sendImport(target, person, file);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    "We can’t import this archive: Two of its jobs have the same folder. Nothing was imported.",
  ]);
  expect(await leftoversOf(person)).toEqual(noLeftovers);
});

test("a dry run finds a forged file too, and a truncated or damaged archive is refused as an unreadable ZIP", async () => {
  const person = await target.person();
  const forgedArchive = await changeFile(/html\.txt$/, () => Buffer.from("<p>Forged</p>"));
  expect((await sendImport(target, person, forgedArchive, true)).body.message).toContain(
    "is not what was sealed",
  );
  const truncated = await sendImport(target, person, archive.slice(0, archive.length - 500));
  expect([truncated.status, truncated.body.message]).toEqual([
    400,
    "The ZIP cannot be read: its end is missing.",
  ]);
  const files = await (unpacked ??= unpack());
  const [picture = Buffer.alloc(0)] = [...files].flatMap(([name, bytes]) =>
    name.endsWith(".png") ? [bytes] : [],
  );
  const damaged = Buffer.from(archive);
  const offset = damaged.indexOf(picture) + picture.length - 20;
  damaged[offset] = (damaged[offset] ?? 0) ^ 1;
  const answer = await sendImport(target, person, new Uint8Array(damaged));
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringMatching(/^The ZIP cannot be read: .*\.png is damaged\.$/),
  ]);
  expect(await leftoversOf(person)).toEqual(noLeftovers);
});

test("an import reports its progress stage by stage, and then its result", async () => {
  const person = await target.person();
  const lines = await sendImportWithProgress(target, person, archive);
  const last = lines.at(-1);
  expect(last).toMatchObject({ kind: "done", reply: { taken: 2, dryRun: false } });
  const ends = lines.flatMap((line) => (line.kind === "progress" && line.done === line.total ? [line] : []));
  expect(ends.map(({ stage, total }) => [stage, total])).toEqual([
    ["addresses", 2],
    ["jobs", 2],
    ["captures", 5],
    ["jobs", 2],
    ["history", 10],
  ]);
  const { entries } = (await person.call("GET", "/api/me/audit")).body as unknown as {
    entries: { action: string }[];
  };
  expect(entries.filter(({ action }) => action === "jobs-imported").length).toBe(1);
  const refused = await sendImportWithProgress(target, person, archive.slice(0, 5000), true);
  expect(refused).toEqual([
    { kind: "problem", code: "INVALID_INPUT", field: "file", message: expect.stringMatching(/^The ZIP/) },
  ]);
});

test("an aborted import imports nothing", async () => {
  const person = await target.person();
  const url = await target.server.listen({ port: 0, host: "127.0.0.1" });
  const form = new FormData();
  form.set("file", new Blob([archive]), "file");
  const abortController = new AbortController();
  await target.app.db.transaction().execute(async (tx) => {
    // The lock on the account keeps the import waiting, so that it is aborted halfway.
    await tx.selectFrom("accounts").select("id").where("id", "=", person.accountId).forUpdate().execute();
    const answer = await fetch(`${url}/api/import/progress`, {
      method: "POST",
      headers: { authorization: `Bearer ${person.token}` },
      body: form,
      signal: abortController.signal,
    });
    const { value } = (await answer.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toMatch(/^{"kind":"progress","stage":"addresses"/);
    abortController.abort();
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
  await target.waitFor(
    "the end of the import",
    async () => (await sendImport(target, person, "x", true)).status !== 429,
  );
  expect(await leftoversOf(person)).toEqual(noLeftovers);
});
