import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { ImportReply } from "#contract/import.ts";
import { type ZipEntry, zip } from "#history/export-zip.ts";
import { openZip } from "#jobs/open-zip.ts";

// Two products with databases, keys and blobs of their own: what leaves the one comes back in the other.
let here: Awaited<ReturnType<typeof startTestEngine>>;
let there: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  [here, there] = await Promise.all([startTestEngine(), startTestEngine()]);
});
afterAll(() => Promise.all([here.close(), there.close()]));

type Engine = typeof here;
type Person = Awaited<ReturnType<Engine["person"]>>;
async function send(engine: Engine, person: Person, content: Uint8Array<ArrayBuffer>, dryRun = false) {
  const form = new FormData();
  form.set("file", new Blob([content]), "watchglass.zip");
  const packed = new Response(form);
  const answer = await engine.call(
    "POST",
    `/api/import?dryRun=${dryRun}`,
    Buffer.from(await packed.bytes()),
    { token: person.token, headers: { "content-type": packed.headers.get("content-type") ?? "" } },
  );
  return { status: answer.status, body: answer.body as unknown as ImportReply & { message?: string } };
}

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
  const tried = await send(there, other, archive, true);
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

  const done = await send(there, other, archive);
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

/** The archive with some of its files changed. */
async function changed(edit: (name: string, bytes: Buffer) => Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const opened = await openZip(Buffer.from(archive), 1000);
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const name of opened.entries.keys())
      yield { name, bytes: edit(name, await opened.read(name)), modified: new Date(0), compress: true };
  }
  const parts: Uint8Array[] = [];
  for await (const part of zip(entries())) parts.push(part as Uint8Array);
  return new Uint8Array(Buffer.concat(parts));
}

test("an archive that is not whole is refused in a sentence, and nothing of it is made", async () => {
  const person = await there.person();
  const broken = await changed((name, bytes) =>
    name.endsWith("executions/000002.json") ? Buffer.from('{"id":1}') : bytes,
  );
  const refused = await send(there, person, broken);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringMatching(/^The archive cannot be taken: jobs\/0\d+.*000002\.json is not whole/),
  ]);
  expect((await person.call("GET", "/api/jobs")).body.jobs).toEqual([]);
  const cut = await send(there, person, archive.slice(0, archive.length - 500));
  expect([cut.status, cut.body.message]).toEqual([400, expect.stringMatching(/^The ZIP cannot be read/)]);
  // A capture that is another than was sealed leaves its history behind; the job is told of.
  const forged = await changed((name, bytes) =>
    /0001-.*executions\/000001\.html\.txt$/.test(name) ? Buffer.from("<p>Forged</p>") : bytes,
  );
  const taken = await send(there, person, forged);
  expect(taken.body.items.flatMap(({ notes }) => notes)).toContain("Its history could not be brought along.");
});
