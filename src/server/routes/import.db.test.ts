import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import type { ImportReply } from "#contract/import.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

type Person = Awaited<ReturnType<typeof engine.person>>;
async function send(person: Person, content: string | Uint8Array<ArrayBuffer>, dryRun = false) {
  const form = new FormData();
  form.set("file", new Blob([content]), "file");
  const packed = new Response(form);
  const answer = await engine.call(
    "POST",
    `/api/import?dryRun=${dryRun}`,
    Buffer.from(await packed.bytes()),
    { token: person.token, headers: { "content-type": packed.headers.get("content-type") ?? "" } },
  );
  return {
    status: answer.status,
    body: answer.body as unknown as ImportReply & { code?: string; message?: string },
  };
}
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

test("everything of an account goes out, and in again somewhere else, the same", async () => {
  const [one, other] = [await engine.person(), await engine.person()];
  const jobId = await one.createJob({
    name: "Rich",
    frequency: 45,
    selector: "main",
    ignore: [".ad", "/\\d+ views/"],
    lookup: { strings: ["In stock"], when: "appears" },
    headers: [{ name: "X-Secret", value: "hunter2" }],
    waitFor: { seconds: 2 },
  });
  await one.createJob({ name: "Plain" });
  engine.site.page.html = "<main><p>Hello</p></main>";
  await one.execution(jobId, 1);
  const out = await one.call("GET", "/api/export");
  expect(out.headers["content-type"]).toBe("application/zip");
  expect(out.raw.includes("hunter2")).toBe(false);
  const back = await send(other, new Uint8Array(out.raw));
  expect(back.body).toMatchObject({ format: "Watchglass", taken: 2 });
  expect(back.body.items.find(({ name }) => name === "Rich")?.notes).toEqual([
    "Put in again, since archives hold no secrets: the headers X-Secret.",
  ]);
  const told = async (person: Person, name: string) => {
    const id = (await jobsOf(person)).find((job) => job.name === name)?.id;
    const { url, frequencyMinutes, selector, ignore, lookup, waitFor, awaited, status, group } = (
      await person.call("GET", `/api/jobs/${id}`)
    ).body as unknown as Record<string, unknown> & { group: { name: string } };
    return { url, frequencyMinutes, selector, ignore, lookup, waitFor, awaited, status, group: group.name };
  };
  for (const name of ["Rich", "Plain"]) expect(await told(other, name)).toEqual(await told(one, name));
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
