import { beforeAll, expect, test, vi } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { sendImport } from "../testing/send-import.ts";
import { zipBomb } from "../testing/zip-bomb.ts";

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

test("a dry run says what becomes what and makes nothing; the import makes just that, and the jobs run", async () => {
  const person = await engine.person();
  const tried = await send(person, file, true);
  expect(tried.status).toBe(200);
  expect(tried.body).toMatchObject({ format: "urlwatch or webchanges", dryRun: true, taken: 2 });
  expect(tried.body.items.map(({ name, problem }) => [name, problem])).toEqual([
    ["Shop", null],
    ["Forbidden", expect.stringMatching(/\.$/)],
    ["Bad rule", expect.stringMatching(/main >|selector/i)],
    ["Later", null],
  ]);
  expect(await jobsOf(person)).toEqual([]);
  expect((await person.call("GET", "/api/jobs/groups")).body).toMatchObject([{ name: "Group" }]);
  const done = await send(person, file);
  expect({ ...done.body, dryRun: true }).toEqual(tried.body);
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
  const again = await send(person, file, true);
  expect(again.body.items[0]?.problem).toBe("The group already has a job of this name.");
});

test("the plan holds: what is beyond it is told, what is too often is slower, one group takes all", async () => {
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
    notes: ["Checked every 60 minutes, not 5: your plan allows no less."],
  });
  expect(body.items[5]?.problem).toMatch(/^The Basic plan allows 4 jobs/);
  expect((await jobsOf(person)).length).toBe(4);
});

test("bad files are refused in a sentence, and a key needs the scope write", async () => {
  const person = await engine.person();
  const bad = await send(person, '{"a":1}');
  expect([bad.status, bad.body.message]).toEqual([
    400,
    "This JSON is no export of Watchglass, changedetection.io or Distill.",
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
const own = Buffer.from(JSON.stringify({ watchglass: 1, jobs: [job] }));

test.for([
  [
    "that says so",
    "watchglass.json",
    undefined,
    {},
    "watchglass.json in the ZIP is larger than 1 GiB unpacked.",
  ],
  [
    "beside the list",
    "photo.raw",
    undefined,
    { "url-list.txt": Buffer.from(url) },
    "photo.raw in the ZIP is larger than 1 GiB unpacked.",
  ],
  [
    "that says it is small",
    "watchglass.json",
    1000,
    {},
    "The ZIP cannot be read: watchglass.json is not as large as it says.",
  ],
  [
    "that says it is middling",
    "watchglass.json",
    1024 ** 3,
    {},
    "What the ZIP holds is larger than 10 MiB unpacked.",
  ],
  [
    "in an archive's history",
    "jobs/0001-x/job.json",
    1000,
    { "watchglass.json": own },
    "The ZIP cannot be read: jobs/0001-x/job.json is not as large as it says.",
  ],
] as const)(
  "an entry of 10 GB %s is refused in a sentence, and is never in memory",
  async ([, name, claim, others, says]) => {
    const person = await engine.person();
    const bomb = zipBomb(name, claim, others);
    const before = process.memoryUsage.rss();
    let most = before;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const answer = await send(person, bomb);
    clearInterval(watching);
    expect([answer.status, answer.body.message]).toEqual([400, says]);
    // The file itself is 10 MB, and is a form, a body and a copy here.
    expect(most - before).toBeLessThan(300 * 1024 ** 2);
    expect(await jobsOf(person)).toEqual([]);
  },
);

test("a YAML bomb, and a ZIP with a name that leads out of it, are refused in a sentence", async () => {
  const person = await engine.person();
  const levels = Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`,
  );
  const bomb = ["url: http://127.0.0.1:8080/", "a0: &a0 [lol]", ...levels].join("\n");
  const yaml = await send(person, bomb);
  expect([yaml.status, yaml.body.message]).toEqual([400, expect.stringMatching(/^The YAML .*\.$/)]);
  const out = await send(person, zipBomb("../watchglass.json", 5));
  expect([out.status, out.body.message]).toEqual([
    400,
    "The ZIP cannot be read: a name in it leads out of it.",
  ]);
  expect(await jobsOf(person)).toEqual([]);
});

test("files made to hold the server are refused in a sentence, and are not read by the thread that answers calls", async () => {
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
  const read = parsing.mock.calls.filter(([text]) => String(text).includes(mark));
  parsing.mockRestore();
  expect(read).toEqual([]);
  expect(answers.map(({ status, body }) => [status, body.message ?? body.taken])).toEqual([
    [200, 1],
    [400, "The outline is nested too deeply: at most 50 levels are read."],
    [400, "The CSV has 16,002 columns; at most 100 are read. Split the file and import its parts."],
    [400, "The file has more than 1,000 addresses. Split it and import its parts."],
    [400, "The YAML of job 1 cannot be read: It has more than 1,000 keys."],
  ]);
});

test("settings of an archive are judged as what a user says here, and the answer stays small", async () => {
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

test("an account has one import under way, and keeps nobody else from theirs", async () => {
  const [person, other] = [await engine.person(), await engine.person()];
  const large = `[${'{"a":1},'.repeat(1_000_000)}{}]`;
  const own = [send(person, large), send(person, large), send(person, large)];
  const answer = await send(other, url);
  expect([answer.status, answer.body.taken]).toEqual([200, 1]);
  const statuses = (await Promise.all(own)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([400, 429, 429]);
});
