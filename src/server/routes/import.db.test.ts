import { beforeAll, expect, test, vi } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { sendImport } from "../testing/send-import.ts";
import { createZipBomb } from "../testing/zip-bomb.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;
const send = (person: { token: string }, content: BlobPart, dryRun = false) =>
  sendImport(engine, person, content, dryRun);
const jobsOf = async (person: Person) =>
  (await person.call("GET", "/api/jobs")).body.jobs as unknown as {
    id: string;
    name: string;
    group: string;
    status: string;
  }[];

const file = `name: Shop
url: http://127.0.0.1:8080/shop
filter:
  - css: main
headers: {X-Team: blue}
---
name: Forbidden
url: http://169.254.169.254/latest
---
name: Bad rule
url: http://127.0.0.1:8080/bad
filter:
  - css: "main >"
---
name: Later
url: http://127.0.0.1:8080/later
enabled: false
`;

test("a dry run lists the jobs and creates nothing; the import creates exactly these, and they run", async () => {
  const person = await engine.person();
  const dryRunReply = await send(person, file, true);
  expect(dryRunReply.status).toBe(200);
  expect(dryRunReply.body).toMatchObject({ format: "urlwatch or webchanges", dryRun: true, taken: 2 });
  expect(dryRunReply.body.items.map(({ name, problem }) => [name, problem])).toEqual([
    ["Shop", null],
    ["Forbidden", expect.stringMatching(/\.$/)],
    ["Bad rule", expect.stringMatching(/main >|selector/i)],
    ["Later", null],
  ]);
  expect(await jobsOf(person)).toEqual([]);
  expect((await person.call("GET", "/api/jobs/groups")).body).toMatchObject([{ name: "Group" }]);
  const importReply = await send(person, file);
  expect({ ...importReply.body, dryRun: true }).toEqual(dryRunReply.body);
  const jobs = await jobsOf(person);
  expect(jobs.map(({ name, group, status }) => [group, name, status])).toEqual([
    ["Imported", "Later", "PAUSED"],
    ["Imported", "Shop", "ACTIVE"],
  ]);
  const shop = jobs.find(({ name }) => name === "Shop")?.id ?? "";
  engine.site.page.html = "<main><p>Hello</p></main>";
  await person.execution(shop, 1);
  expect(engine.site.requests.find(({ url }) => url.endsWith("/shop"))?.headers).toEqual(
    expect.arrayContaining([expect.arrayContaining(["X-Team", "blue"])]),
  );
  const secondReply = await send(person, file, true);
  expect(secondReply.body.items[0]?.problem).toBe("The group already has a job with this name.");
});

test("an import respects the plan: extra jobs are refused, checks are slowed and one group takes all jobs", async () => {
  const person = await engine.person("basic");
  const csv = [
    "url,group,minutes",
    ...Array.from({ length: 6 }, (_, n) => `http://127.0.0.1:8080/${n},G${n},5`),
  ];
  const { body } = await send(person, csv.join("\n"));
  expect(body.taken).toBe(4);
  expect(body.items[0]).toMatchObject({
    group: "Group",
    frequency: 60,
    notes: ["Checked every 60 minutes instead of 5: that’s your plan’s minimum interval."],
  });
  expect(body.items[5]?.problem).toMatch(/^The Basic plan allows 4 jobs/);
  expect((await jobsOf(person)).length).toBe(4);
});

test("invalid files are refused with a message, and an API key needs the scope write", async () => {
  const person = await engine.person();
  const bad = await send(person, '{"a":1}');
  expect([bad.status, bad.body.message]).toEqual([
    400,
    "This JSON isn’t an export of Watchglass, changedetection.io or Distill.",
  ]);
  const large = await send(person, new Uint8Array(11 * 1024 * 1024));
  expect([large.status, large.body.message]).toEqual([400, "The file is larger than 10 MiB."]);
  expect(await jobsOf(person)).toEqual([]);
  const key = await person.call("POST", "/api/keys", { name: "r", scope: "read" });
  expect((await send({ ...person, token: String(key.body.key) }, "http://127.0.0.1:8080/")).status).toBe(403);
});

const url = "http://127.0.0.1:8080/";
const job = {
  name: "Bomb",
  url,
  group: "Group",
  frequencyMinutes: 60,
  status: "ACTIVE",
  selector: null,
  ignore: [],
  lookup: null,
  waitFor: null,
  headers: [],
  folder: "jobs/0001-x",
};
const archiveList = Buffer.from(JSON.stringify({ watchglass: 1, jobs: [job] }));

test.for([
  [
    "with its true size",
    "watchglass.json",
    undefined,
    {},
    "watchglass.json in the ZIP is larger than 1 GiB unpacked.",
  ],
  [
    "next to the list of URLs",
    "photo.raw",
    undefined,
    { "url-list.txt": Buffer.from(url) },
    "photo.raw in the ZIP is larger than 1 GiB unpacked.",
  ],
  [
    "that is declared as small",
    "watchglass.json",
    1000,
    {},
    "The ZIP cannot be read: watchglass.json is not as large as it says.",
  ],
  [
    "that is declared as 1 GiB",
    "watchglass.json",
    1024 ** 3,
    {},
    "The contents of the ZIP are larger than 10 MiB unpacked.",
  ],
  [
    "in an archive's history",
    "jobs/0001-x/job.json",
    1000,
    { "watchglass.json": archiveList },
    "The ZIP cannot be read: jobs/0001-x/job.json is not as large as it says.",
  ],
] as const)(
  "a ZIP entry of 10 GB %s is refused with a message and never held in memory",
  async ([, name, declaredSize, others, message]) => {
    const person = await engine.person();
    const bomb = createZipBomb(name, declaredSize, others);
    const rssBefore = process.memoryUsage.rss();
    let peakRss = rssBefore;
    const sampling = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 5);
    const answer = await send(person, bomb);
    clearInterval(sampling);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    // The file itself has 10 MB and is held as a form, a body and a copy here.
    expect(peakRss - rssBefore).toBeLessThan(300 * 1024 ** 2);
    expect(await jobsOf(person)).toEqual([]);
  },
);

test("a YAML bomb and a ZIP with a name that leads out of it are refused with a message", async () => {
  const person = await engine.person();
  const levels = Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`,
  );
  const bomb = ["url: http://127.0.0.1:8080/", "a0: &a0 [lol]", ...levels].join("\n");
  const yaml = await send(person, bomb);
  expect([yaml.status, yaml.body.message]).toEqual([400, expect.stringMatching(/^The YAML .*\.$/)]);
  const out = await send(person, createZipBomb("../watchglass.json", 5));
  expect([out.status, out.body.message]).toEqual([
    400,
    "The ZIP cannot be read: a name in it leads out of it.",
  ]);
  expect(await jobsOf(person)).toEqual([]);
});

test("files made to block the server are limited, and the thread that answers calls never parses them", async () => {
  const person = await engine.person();
  const mark = "not-for-the-answering-thread";
  const parsing = vi.spyOn(JSON, "parse");
  const answers = [
    await send(person, `${url} ${" #".repeat(30_000)}\u2028`),
    await send(person, `<opml>${'<outline text="a">'.repeat(20_000)}</opml>`),
    await send(person, `url,${"a,".repeat(16_000)}\n${`${url}\n`.repeat(1_500)}`),
    await send(person, `{"${mark}":1,"watchglass":1,"jobs":[${"{},".repeat(150_000)}{}]}`),
    await send(person, `url: ${url}\n${Array.from({ length: 4_000 }, (_, n) => `key${n}: 1\n`).join("")}`),
  ];
  const parsedTexts = parsing.mock.calls.filter(([text]) => String(text).includes(mark));
  parsing.mockRestore();
  expect(parsedTexts).toEqual([]);
  expect(answers.map(({ status, body }) => [status, body.message ?? body.taken])).toEqual([
    [200, 1],
    [400, "The OPML is nested too deeply: at most 50 levels are read."],
    [400, "The CSV has 16,002 columns; at most 100 are read. Split the file and import its parts."],
    [400, "The file has more than 1,000 addresses. Split it and import its parts."],
    [400, "The YAML of job 1 cannot be read: It has more than 1,000 keys."],
  ]);
});

test("an archive's settings are validated like a user's input, and the answer stays small", async () => {
  const person = await engine.person();
  const long = "x".repeat(100_000);
  const jobs = [
    { ...job, folder: null, name: "Good" },
    { ...job, folder: null, name: "Long", selector: long, ignore: Array(60).fill(long) },
    { ...job, folder: null, name: "Elsewhere", group: long },
    { ...job, folder: null, name: "Shapeless", values: [long] },
    { ...job, folder: null, name: "Far", url: `${url}${long}` },
  ];
  const groups = [
    { name: `a\0${long}`, settings: { headers: [] } },
    { name: "Broken", settings: { headers: [], selector: long } },
  ];
  const { status, body } = await send(person, JSON.stringify({ watchglass: 1, jobs, groups }));
  expect([status, body.taken]).toEqual([200, 1]);
  expect(body.items.map(({ problem }) => problem)).toEqual([
    null,
    expect.stringMatching(/1,000 characters|At most 50/),
    "group: Name must be 1-120 characters.",
    expect.stringMatching(/^values\.0: /),
    expect.stringMatching(/\.$/),
  ]);
  expect(body.channels).toEqual([
    expect.stringMatching(/^A group is left out: Name must/),
    "The settings of the group Broken are left out: they are not valid.",
  ]);
  expect(JSON.stringify(body).length).toBeLessThan(20_000);
});

test("an account can run one import at a time and doesn't block other accounts' imports", async () => {
  const [person, other] = [await engine.person(), await engine.person()];
  const large = `[${'{"a":1},'.repeat(1_000_000)}{}]`;
  const ownImports = [send(person, large), send(person, large), send(person, large)];
  const answer = await send(other, url);
  expect([answer.status, answer.body.taken]).toEqual([200, 1]);
  const statuses = (await Promise.all(ownImports)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([400, 429, 429]);
});

test("a watch of changedetection.io keeps its conditions, and what is lost is named in the dry run and in the result", async () => {
  const person = await engine.person();
  const backup = JSON.stringify({
    watching: {
      a: {
        title: "Lamp",
        url: "http://127.0.0.1:8080/lamp",
        conditions: [{ field: "page_filtered_text", operator: "in", value: "In stock" }],
        text_should_not_be_present: ["Sold out"],
        notification_muted: true,
        tags: ["t"],
      },
      b: { title: "Dated", url: "http://127.0.0.1:8080/{% now 'UTC' %}" },
    },
    settings: { application: { tags: { t: { title: "Lamps", notification_urls: ["pover://key"] } } } },
  });
  engine.site.page.html = "<main><p>A lamp.</p><p>Sold out</p></main>";
  const dryRun = await send(person, backup, true);
  const imported = await send(person, backup);
  for (const { body } of [dryRun, imported]) {
    expect(body.items).toMatchObject([
      { group: "Lamps", problem: null, notes: [expect.stringMatching(/^Its notifications were muted/)] },
      { problem: expect.stringMatching(/Jinja/) },
    ]);
    expect(body.channels).toEqual(["It sends notifications by “pover”, which isn’t supported."]);
  }
  const [lamp] = await jobsOf(person);
  const id = lamp?.id ?? "";
  await person.execution(id, 1);
  engine.site.page.html = "<main><p>A better lamp.</p><p>Sold out</p></main>";
  expect(await person.run(id)).toMatchObject({ changed: true, untold: expect.stringContaining("In stock") });
  engine.site.page.html = "<main><p>A better lamp.</p><p>In stock</p></main>";
  expect(await person.run(id)).toMatchObject({ changed: true, untold: null });
});
