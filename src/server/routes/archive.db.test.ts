import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type SharedEngine, sharedEngine, startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { type ZipEntry, zip } from "#history/export-zip.ts";
import * as reading from "#history/importing/thread.ts";
import { openZip } from "#jobs/open-zip.ts";
import { followImport, sendImport } from "../testing/send-import.ts";

// Two products with databases, keys and blobs of their own: what leaves the one comes back in the other.
let here: SharedEngine;
let there: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  [here, there] = await Promise.all([sharedEngine(), startTestEngine()]);
});
afterAll(() => there.close());

type Engine = typeof here;
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
const handed = {
  headers: [{ name: "X-Group", value: "hunter3" }],
  ignore: [".cookie"],
  channels: ["email"],
  tellFailures: { down: 1, gone: 1 },
  schedule: { zone: "UTC", cron: "30 5 * * *" },
  alertIf: { match: "all", conditions: [{ what: "only", is: "additions" }] },
};
const pace = { important: "at-once", notice: "daily", dailyAt: 7, quiet: { from: 22, to: 6 }, zone: "UTC" };

/** What is another's elsewhere: names of rows, seals, and what was told to whom. */
const ofHere = "id jobId baselineId previousId nextId seal deliveries passedOver".split(" ");
const without = (given: object, names: string[]) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

/** All that a person can read of a job, without what must differ elsewhere. */
async function told(person: Person, name: string) {
  const jobs = (await person.call("GET", "/api/jobs")).body.jobs as unknown as { id: string; name: string }[];
  const id = jobs.find((job) => job.name === name)?.id ?? "";
  const job = (await person.call("GET", `/api/jobs/${id}`)).body as unknown as Record<string, unknown> & {
    group: { name: string };
    executions: { id: string; index: number }[];
  };
  const { group, executions, ...rest } = job;
  const noise = (await person.call("GET", `/api/jobs/${id}/noise`)).body;
  const past = [];
  for (const execution of executions.toReversed()) {
    const read = async (part: string) =>
      (await person.call("GET", `/api/jobs/${id}/executions/${execution.id}${part}`)).raw.toString("base64");
    const detail = (await person.call("GET", `/api/jobs/${id}/executions/${execution.id}`))
      .body as unknown as Record<string, unknown>;
    const { baselineId, seal } = detail;
    const parts = [await read("/html"), await read("/text"), await read("/image")];
    const position = (seal as { position: number } | null)?.position;
    past.push({ ...without(detail, ofHere), hasBaseline: baselineId !== null, position, parts });
  }
  return { ...without(rest, ["id", "groupId", "headers", "inherited"]), group: group.name, noise, past };
}
async function groupsOf(person: Person) {
  const list = (await person.call("GET", "/api/jobs/groups")).body as unknown as {
    id: string;
    name: string;
  }[];
  return Promise.all(
    list.map(async ({ id, name }) => {
      const { body } = await person.call("GET", `/api/jobs/groups/${id}`);
      return { name, settings: without(body.settings as unknown as object, ["headers"]) };
    }),
  );
}

let archive: Uint8Array<ArrayBuffer>;

test("an account goes out whole and comes in elsewhere: settings, groups, paces, messages and history are the same", {
  timeout: 180_000,
}, async () => {
  const one = await here.person();
  const shops = await one.call("POST", "/api/jobs/groups", { name: "Shops" });
  await one.call("POST", "/api/jobs/groups", { name: "Empty" });
  expect((await one.call("PUT", `/api/jobs/groups/${shops.body.id}/settings`, handed)).status).toBe(200);
  expect((await one.call("PUT", "/api/me/channels/email/pace", pace)).status).toBe(200);
  const words = { title: "{{title}}!", text: "**{{message}}**\n{{words}}" };
  expect((await one.call("PUT", "/api/me/channels/email/template", words)).status).toBe(200);
  here.site.page.html = price(59);
  const jobId = await one.createJob({ name: "Lamp", groupId: shops.body.id, ...settings });
  await one.execution(jobId, 1);
  here.site.page.html = price(64);
  here.site.page.shade = 120;
  await one.run(jobId);
  here.site.next.push({ failure: { kind: "dns", message: "The name was not found." } });
  await one.run(jobId);
  const plain = await one.createJob({ name: "Plain" });
  await one.execution(plain, 1);
  here.site.page.html = price(65);
  const risen = await one.run(plain);
  const marked = await one.call("POST", `/api/jobs/${plain}/executions/${risen.id}/noise`, {});
  expect(marked.status).toBe(200);
  here.site.page.html = price(64);
  await one.call("POST", `/api/jobs/${plain}/status/PAUSED`);

  expect((await one.call("POST", "/api/keys", { name: "Deploy", scope: "read" })).status).toBe(200);
  expect((await one.call("POST", "/api/feeds", {})).status).toBe(200);

  const out = await one.call("GET", "/api/export");
  expect(out.raw.includes("hunter")).toBe(false);
  archive = new Uint8Array(out.raw);
  const other = await there.person();
  there.site.page.html = price(64);
  there.site.page.shade = 120;
  const pause = there.site.pause();
  const tried = await sendImport(there, other, archive, true);
  expect(tried.body).toMatchObject({ format: "Watchglass", taken: 2 });
  const item = tried.body.items.find(({ name }) => name === "Lamp");
  expect(item?.more).toEqual([
    "Asked for by POST.",
    "Asked for as another browser.",
    "Asked for in de-DE.",
    "Told only if: price down by 5 %.",
    "Follows price.",
    "Checked by its timetable.",
    "Its own rule for failed checks.",
    "Told by email, discord.",
    "3 executions with their captures.",
  ]);
  expect(item?.notes).toEqual(["Put in again, since archives hold no secrets: the headers X-Secret."]);
  expect(tried.body.channels).toEqual([
    "Made again by you, since archives do not hold it: the API key Deploy.",
    "Made again by you, since archives do not hold it: a feed address.",
    "The group Shops hands down its settings.",
    "Put in again, since archives hold no secrets: the headers X-Group of Shops.",
    "E-mail keeps its quiet hours and digests.",
    "E-mail keeps its message.",
  ]);
  expect((await other.call("GET", "/api/me/templates")).body.templates).toEqual({});

  const done = await sendImport(there, other, archive);
  expect({ ...done.body, dryRun: true }).toEqual(tried.body);
  expect(JSON.stringify((await told(one, "Plain")).noise)).toContain("65.00");
  for (const name of ["Lamp", "Plain"]) {
    const [mine, theirs] = [await told(one, name), await told(other, name)];
    // A job that is begun again counts its failures anew.
    const { nextRunAt: _, activity: __, failures: ___, ...expected } = mine as Record<string, unknown>;
    expect(theirs).toMatchObject(expected);
  }
  expect(await groupsOf(other)).toEqual(expect.arrayContaining(await groupsOf(one)));
  expect((await other.call("GET", "/api/me/paces")).body).toEqual(
    (await one.call("GET", "/api/me/paces")).body,
  );
  expect((await other.call("GET", "/api/me/templates")).body.templates).toEqual({ email: words });

  // The next check goes on where the history ends: the page is as it was, then it is not.
  pause();
  const jobs = (await other.call("GET", "/api/jobs")).body.jobs as unknown as { id: string; name: string }[];
  const lamp = jobs.find(({ name }) => name === "Lamp")?.id ?? "";
  expect(await other.execution(lamp, 4)).toMatchObject({ changed: false, summary: "No change", error: null });
  expect(there.site.requests.at(-1)?.ask).toMatchObject({ method: "POST" });
  there.site.page.html = price(50);
  expect(await other.run(lamp)).toMatchObject({ changed: true, summary: expect.stringContaining("64.00") });
  // The chain of seals is whole, begun anew here.
  const detail = await other.call(
    "GET",
    `/api/jobs/${lamp}/executions/${(await other.executionsOf(lamp))[0]?.id}`,
  );
  expect(detail.body.seal).toMatchObject({ position: 5 });
});

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of given) list.push(one);
  return list;
}

/** All the archive's files, unpacked once. */
let unpacked: Promise<Map<string, Buffer>>;
async function unpack(): Promise<Map<string, Buffer>> {
  const opened = await openZip(Buffer.from(archive), 1000);
  const files = new Map<string, Buffer>();
  for (const name of opened.entries.keys()) files.set(name, await opened.read(name));
  return files;
}

/** The archive with the last file that has such a name changed, or left out. */
async function changed(name: RegExp, edit: (bytes: Buffer) => Buffer | Promise<Buffer> | null) {
  unpacked ??= unpack();
  const files = new Map(await unpacked);
  const wanted = [...files.keys()].findLast((one) => name.test(one)) ?? "";
  const edited = await edit(files.get(wanted) ?? Buffer.alloc(0));
  if (edited) files.set(wanted, edited);
  else files.delete(wanted);
  return pack(files);
}

async function pack(files: Map<string, Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const [one, bytes] of files)
      yield { name: one, bytes, modified: new Date(0), compress: bytes.length < 10_000 };
  }
  return new Uint8Array(Buffer.concat(await all(zip(entries()))));
}

/** All that an import could leave behind. */
async function leftOf({ accountId, call }: Person) {
  const { db, jobs } = there.app;
  const count = async (table: "jobs" | "executions" | "contents" | "seal_heads") =>
    (await db.selectFrom(table).select("account_id").where("account_id", "=", accountId).execute()).length;
  const blobs = (await all(jobs.blobs.list())).filter(({ owner }) => owner === accountId);
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
const nothing = {
  jobs: 0,
  executions: 0,
  contents: 0,
  chains: 0,
  blobs: 0,
  storedBytes: 0,
  groups: ["Group"],
  templates: {},
};

let stranger: Promise<Person> | undefined;
const json = (change: (value: Record<string, unknown>) => object) => (bytes: Buffer) =>
  Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString()))));
const picture = (bytes: Buffer) => sharp(bytes).negate({ alpha: false }).png().toBuffer();
const broken: [what: string, name: RegExp, edit: Parameters<typeof changed>[1], says: RegExp][] = [
  ["a forged page", /html\.txt$/, () => Buffer.from("<p>Forged</p>"), /html\.txt is not what was sealed/],
  ["a forged answer", /response\.bin$/, () => Buffer.from("x"), /response\.bin is not what was sealed/],
  ["a forged picture", /\.png$/, picture, /\.png is not what was sealed/],
  ["a picture that is none", /\.png$/, () => Buffer.from("PNG"), /\.png is no picture/],
  ["a forged summary", /\d\.json$/, json((it) => ({ ...it, summary: "Fine" })), /\d\.json is not what was/],
  ["a forged verdict", /000002\.json$/, json((it) => ({ ...it, verdict: null })), /\d\.json is not what was/],
  ["a forged seal", /\.seal$/, json((it) => ({ ...it, parts: {} })), /\.seal is not what was sealed/],
  [
    "a forged hash in the chain",
    /seals-\d+\.jsonl$/,
    (bytes) => Buffer.from(bytes.toString().replace(/"digest":"./, '"digest":"x')),
    /The chain of seals is broken at place 1 of /,
  ],
  ["a missing page", /html\.txt$/, () => null, /html\.txt is missing/],
  ["a missing picture", /\.png$/, () => null, /\.png is missing/],
  ["a missing record", /\d\.json$/, () => null, /\d\.json is missing/],
  ["a missing seal", /\.seal$/, () => null, /\.seal is missing/],
  ["a missing chain", /seals-\d+\.jsonl$/, () => null, /ends at place 0 of \d/],
  ["a missing description", /job\.json$/, () => null, /job\.json is missing/],
  ["a record of another shape", /\d\.json$/, () => Buffer.from('{"id":1}'), /\d\.json is not whole/],
  ["facts that are no JSON", /noise\.json$/, () => Buffer.from("{"), /noise\.json is not JSON/],
  // Refused by the database, when all captures are kept and all jobs made.
  ["a number that no row holds", /\d\.json$/, json((it) => ({ ...it, durationMs: 3e9 })), /A value in it/],
];

/** What the thread that reads an archive's history says of one, asked for step by step as an import asks. */
async function refusalOf(file: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-archive-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "archive.zip");
  await writeFile(path, file);
  const { entries } = await openZip(Buffer.from(file), 1000);
  const inside = [...entries.keys()].filter((name) => name.includes("/executions/"));
  const jobs = [...new Set(inside.map((name) => name.slice(0, name.indexOf("/executions/"))))];
  const opened = await reading.open({ file: path, folders: jobs });
  if ("refusal" in opened) return opened.refusal;
  for (const [n, job] of jobs.entries()) {
    const begun = await reading.begin(job);
    if ("refusal" in begun) return begun.refusal;
    for (let at = 0; at < (opened.value[n] ?? 0); at++) {
      const read = await reading.readExecution({ folder: job, at });
      if ("refusal" in read) return read.refusal;
    }
  }
  return "none";
}

/** Why an archive is refused: by the import as a whole, and then what is left of it, or only by what reads it. */
async function refuse(file: Uint8Array<ArrayBuffer>, isSent: boolean) {
  if (!isSent) return { why: await refusalOf(file) };
  // The same one for all, since nothing is left of any.
  const person = await (stranger ??= there.person());
  const { status, body } = await sendImport(there, person, file);
  return { why: status === 400 ? body.message : `answered with ${status}`, left: await leftOf(person) };
}
const inSentence = expect.stringMatching(/^The archive cannot be taken: .*\. Nothing was imported\.$/);

// An import starts a thread and asks the database a hundred times. One of each stage at which an archive is refused goes
// that way: its chain, a capture after others were kept, its pictures, its rows. The long set sends all.
const sent = [
  "a forged page",
  "a forged hash in the chain",
  "a forged picture",
  "a picture that is none",
  "a number that no row holds",
];
const isLong = process.env.TEST_SIZE === "long";

test("what reads an archive's history has nothing against the one that was made", async () => {
  expect(await refusalOf(archive)).toBe("none");
});

test.for(broken)(
  "an archive with %s is refused in a sentence, and nothing of it is there",
  async ([what, name, edit, says]) => {
    const isSent = isLong || sent.includes(what);
    const refused = await refuse(await changed(name, edit), isSent);
    expect(refused).toEqual({ why: inSentence, ...(isSent && { left: nothing }) });
    expect(refused.why).toMatch(says);
  },
);

/** The archive as its owner may write it: without seals, so that nothing in it has to be what was recorded. */
async function forged(edits: Record<string, (value: Record<string, unknown>) => object>) {
  unpacked ??= unpack();
  const files = new Map(await unpacked);
  for (const name of files.keys()) if (/\/chain\/|\.seal$/.test(name)) files.delete(name);
  for (const [name, bytes] of files) {
    const edit = name.endsWith("job.json")
      ? (it: Record<string, unknown>) => ({ ...it, chain: undefined })
      : Object.entries(edits).find(([ending]) => name.endsWith(ending))?.[1];
    if (edit) files.set(name, json(edit)(bytes));
  }
  return pack(files);
}

const many = (length: number, make: (n: number) => object) => Array.from({ length }, (_, n) => make(n));
test.for<[string, Parameters<typeof forged>[0], RegExp]>([
  [
    "with cookies that are none",
    { "facts.json": (it) => ({ ...it, cookies: [null] }) },
    /facts\.json is not whole: cookies\.0/,
  ],
  [
    "with noise that no check remembers",
    { "noise.json": (it) => ({ ...it, seen: { ...many(5_000, () => ({})).map(() => 1) } }) },
    /noise\.json is not whole: seen/,
  ],
  [
    "under the name of another",
    { "000002.json": (it) => ({ ...it, index: 3 }) },
    /000002\.json is named after another execution/,
  ],
])("a forged archive of captures %s is refused, and nothing of it is there", async ([, edits, says]) => {
  const refused = await refuse(await forged(edits), isLong);
  expect(refused).toEqual({ why: inSentence, ...(isLong && { left: nothing }) });
  expect(refused.why).toMatch(says);
});

test("a forged verdict is cut to what a check stores, and what no check writes is left out; both can be compared", async () => {
  const person = await there.person();
  const pause = there.site.pause();
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
  const file = await forged({
    "000002.json": (it) => ({ ...it, verdict }),
    "facts.json": (it) => ({ ...it, junk: mark.repeat(1_000), chosen: [{}] }),
  });
  const parsing = vi.spyOn(JSON, "parse");
  const done = await sendImport(there, person, file);
  // Nothing of the file is parsed by the thread that answers calls.
  const read = parsing.mock.calls.filter(([text]) => String(text).includes(mark));
  parsing.mockRestore();
  expect([done.status, read.length]).toEqual([200, 0]);
  const jobs = (await person.call("GET", "/api/jobs")).body.jobs as unknown as { id: string; name: string }[];
  const jobId = jobs.find(({ name }) => name === "Plain")?.id ?? "";
  const [second, first] = await person.executionsOf(jobId);
  const detail = await person.call("GET", `/api/jobs/${jobId}/executions/${second?.id}`);
  const compared = await person.call("GET", `/api/jobs/${jobId}/compare?from=${first?.id}&to=${second?.id}`);
  const back = await person.call("GET", `/api/jobs/${jobId}/compare?from=${second?.id}&to=${first?.id}`);
  for (const { status, raw } of [detail, compared, back]) {
    expect(status).toBe(200);
    expect(raw.length).toBeLessThan(1_000_000);
    expect(raw.includes(mark)).toBe(false);
  }
  const shown = detail.body.verdict as unknown as { reasons: { count: number; changes: object[] }[] };
  expect(shown.reasons[0]?.count).toBe(8_000);
  expect(shown.reasons[0]?.changes.length).toBeGreaterThan(1_000);
});

test("two jobs cannot have the same history", async () => {
  const person = await (stranger ??= there.person());
  const file = await forged({
    "watchglass.json": (it) => {
      const [job = {}] = it.jobs as object[];
      return { ...it, jobs: [job, { ...job, name: "Twice" }] };
    },
  });
  const refused = await sendImport(there, person, file);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    "The archive cannot be taken: Two of its jobs have the same folder. Nothing was imported.",
  ]);
  expect(await leftOf(person)).toEqual(nothing);
});

test("a trial finds it, too; an archive that was cut, and one whose bytes were damaged, are no ZIPs", async () => {
  const person = await there.person();
  const forged = await changed(/html\.txt$/, () => Buffer.from("<p>Forged</p>"));
  expect((await sendImport(there, person, forged, true)).body.message).toContain("is not what was sealed");
  const cut = await sendImport(there, person, archive.slice(0, archive.length - 500));
  expect([cut.status, cut.body.message]).toEqual([400, "The ZIP cannot be read: its end is missing."]);
  const files = await (unpacked ??= unpack());
  const [some = Buffer.alloc(0)] = [...files].flatMap(([name, bytes]) =>
    name.endsWith(".png") ? [bytes] : [],
  );
  const damaged = Buffer.from(archive);
  const at = damaged.indexOf(some) + some.length - 20;
  damaged[at] = (damaged[at] ?? 0) ^ 1;
  const answer = await sendImport(there, person, new Uint8Array(damaged));
  expect([answer.status, answer.body.message]).toEqual([
    400,
    expect.stringMatching(/^The ZIP cannot be read: .*\.png is damaged\.$/),
  ]);
  expect(await leftOf(person)).toEqual(nothing);
});

test("an import tells how far it is, in the order of its work, and what became of it", async () => {
  const person = await there.person();
  const lines = await followImport(there, person, archive);
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
  const refused = await followImport(there, person, archive.slice(0, 5000), true);
  expect(refused).toEqual([
    { kind: "problem", code: "INVALID_INPUT", field: "file", message: expect.stringMatching(/^The ZIP/) },
  ]);
});

test("whoever breaks an import off has imported nothing", async () => {
  const person = await there.person();
  const url = await there.server.listen({ port: 0, host: "127.0.0.1" });
  const form = new FormData();
  form.set("file", new Blob([archive]), "file");
  const leaving = new AbortController();
  await there.app.db.transaction().execute(async (tx) => {
    // Whoever has the account keeps the import waiting, so that it is left in its midst.
    await tx.selectFrom("accounts").select("id").where("id", "=", person.accountId).forUpdate().execute();
    const answer = await fetch(`${url}/api/import/progress`, {
      method: "POST",
      headers: { authorization: `Bearer ${person.token}` },
      body: form,
      signal: leaving.signal,
    });
    const { value } = (await answer.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toMatch(/^{"kind":"progress","stage":"addresses"/);
    leaving.abort();
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
  await there.waitFor(
    "the end of it",
    async () => (await sendImport(there, person, "x", true)).status !== 429,
  );
  expect(await leftOf(person)).toEqual(nothing);
});
