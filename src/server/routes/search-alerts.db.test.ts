import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { html, story } from "#checks/testing/page.ts";
import { maxSearchAlerts, type SearchAlert, starterPatterns } from "#contract/search-alert.ts";

let outside: SharedOutside;
beforeAll(async () => {
  outside = await sharedOutside();
});

type Person = Awaited<ReturnType<typeof outside.person>>;

const add = (person: Person, body: object) => person.call("POST", "/api/search-alerts", body);
const list = async (person: Person) =>
  (await person.call("GET", "/api/search-alerts")).body.alerts as unknown as SearchAlert[];

/** The notifications about search alerts, oldest first. */
async function found(person: Person, count: number) {
  return outside.waitFor(`${count} search alerts`, async () => {
    const { rows } = await sql<{ message: string; severity: string; job_id: string }>`
      select message, severity, job_id from notifications
      where account_id = ${person.accountId} and kind = 'found' order by id`.execute(outside.app.db);
    return rows.length >= count && rows;
  });
}

test("what first appears on any page of the groups is alerted with the chosen severity, once, on every channel", async () => {
  const person = await outside.person({ telegram: true });
  const [one, other] = [await person.createJob({ name: "One" }), await person.createJob({ name: "Other" })];
  expect(
    (await add(person, { name: "Competitor", q: "acme corp", severity: "critical" })).body,
  ).toMatchObject({
    code: "SEARCH_ALERT_SAVED",
    message: "You’ll get an alert when “Competitor” first appears.",
  });
  const { id: executionId } = await person.change(one, "Now by Acme Corp of Springfield");
  await person.change(other, "Now by Acme Corp of Springfield");
  expect(await found(person, 1)).toEqual([
    {
      message: "Competitor first appeared: “Now by Acme Corp of Springfield”",
      severity: "critical",
      job_id: one,
    },
  ]);
  const message = await outside.eventually("the message", async () =>
    outside.telegram.sent.find(({ text }) => text.includes("Competitor first appeared")),
  );
  expect(message.text).toContain("Now by Acme Corp of Springfield");
  await outside.mailTo(person.email);
  // The same words on another page, or again on the first one, are nothing new; another line is.
  await person.change(one, "Without them");
  await person.change(one, "Now by Acme Corp of Springfield");
  await person.change(other, "Acme Corp moves to Shelbyville");
  const all = await found(person, 2);
  expect(all.map(({ message: text }) => text)).toEqual([
    "Competitor first appeared: “Now by Acme Corp of Springfield”",
    "Competitor first appeared: “Acme Corp moves to Shelbyville”",
  ]);
  const [alert] = await list(person);
  expect(alert).toMatchObject({ name: "Competitor", alerts: 2, lastAlertAt: expect.any(String) });
  // A task that is repeated alerts nobody twice.
  await outside.app.queue.send(outside.app.db, "match-search-alerts", {
    accountId: person.accountId,
    executionId,
  });
  await person.change(other, "Acme Corp closes");
  expect(await found(person, 3)).toHaveLength(3);
});

test("a search alert looks at its groups and its kind only", async () => {
  const person = await outside.person();
  const { id: groupId } = (await person.call("POST", "/api/jobs/groups", { name: "Shops" })).body;
  const [inside, elsewhere] = [await person.createJob({ groupId }), await person.createJob()];
  await add(person, { name: "In shops", q: "voucher", groupIds: [groupId] });
  await add(person, { name: "As a link", q: "voucher", kind: "link" });
  await person.change(elsewhere, "A voucher for you");
  await person.change(inside, "A voucher for you");
  // What a page of another group had before is new to these groups.
  expect((await found(person, 1)).map(({ message, job_id }) => [message, job_id])).toEqual([
    ["In shops first appeared: “A voucher for you”", inside],
  ]);
});

test("a leaked key is found by a starter pattern, and the alert shows only its ends", async () => {
  const person = await outside.person();
  const aws = starterPatterns.find(({ name }) => name === "AWS access key");
  await add(person, { ...aws, mode: "regex", severity: "critical", hidesMatch: true });
  const jobId = await person.createJob();
  await person.change(jobId, "aws_access_key_id = AKIAIOSFODNN7EXAMPLE # of the build");
  const [alert] = await found(person, 1);
  expect(alert?.message).toBe("AWS access key first appeared: AK…LE");
});

test("every starter pattern is one that PostgreSQL reads, and none finds anything on an ordinary page", async () => {
  const person = await outside.person();
  await person.createJob();
  for (const { q } of starterPatterns) {
    const tried = await person.call("POST", "/api/search-alerts/try", { q, mode: "regex" });
    expect([q, tried.status, tried.body]).toEqual([q, 200, { found: 0, isMore: false, lines: [] }]);
  }
});

test("a trial shows what an alert would have found, before it is saved", async () => {
  const person = await outside.person();
  const jobId = await person.createJob();
  await person.change(jobId, "A voucher for you");
  const tried = await person.call("POST", "/api/search-alerts/try", { q: "voucher" });
  expect(tried.body).toMatchObject({ found: 1, isMore: false, lines: [{ text: "A voucher for you" }] });
  expect(
    (await person.call("POST", "/api/search-alerts/try", { q: "voucher", kind: "host" })).body,
  ).toMatchObject({
    found: 0,
  });
});

test("search alerts are changed, deleted, limited and named once", async () => {
  const person = await outside.person();
  await add(person, { name: "First", q: "voucher" });
  const [{ id } = { id: "" }] = await list(person);
  const again = await add(person, { name: "First", q: "voucher" });
  expect([again.status, again.body.field]).toEqual([409, "name"]);
  const path = `/api/search-alerts/${id}`;
  expect((await person.call("PUT", path, { name: "First", q: "voucher", severity: "info" })).status).toBe(
    200,
  );
  expect(await list(person)).toMatchObject([{ id, severity: "info" }]);
  const stranger = await outside.person();
  expect((await stranger.call("PUT", path, { name: "Mine", q: "voucher" })).status).toBe(404);
  expect((await stranger.call("DELETE", path)).status).toBe(404);
  const names = Array.from({ length: maxSearchAlerts + 3 }, (_, i) => `Alert ${i}`);
  const answers = await Promise.all(names.map((name) => add(person, { name, q: "voucher" })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(maxSearchAlerts - 1);
  expect((await person.call("DELETE", path)).status).toBe(200);
  expect(await list(person)).toHaveLength(maxSearchAlerts - 1);
});

test.each<[string, object, string, string]>([
  ["no name", { name: " ", q: "voucher" }, "name", "Enter a name."],
  ["half a character as its name", { name: "\ud800", q: "voucher" }, "name", "must not contain control"],
  ["nothing to find", { name: "A", q: " " }, "q", "Enter what to search for."],
  ["a text that is too short", { name: "A", q: "ab" }, "q", "Search for at least three letters"],
  ["a pattern that matches everything", { name: "A", q: ".*", mode: "regex" }, "q", "needs a fixed part"],
  [
    "a pattern that can't be read",
    { name: "A", q: "abc[z-a]", mode: "regex" },
    "q",
    "can’t read this regular",
  ],
  ["no group", { name: "A", q: "voucher", groupIds: [] }, "groupIds", "Choose at least one group."],
])("a search alert with %s is refused", async (_, body, field, message) => {
  const answer = await add(await outside.person(), body);
  expect([answer.status, answer.body.field]).toEqual([400, field]);
  expect(answer.body.message).toContain(message);
});

test("the first page of a new job alerts about what no page had before, older executions never do", async () => {
  const person = await outside.person();
  await person.createJob({}, html(...story, "A voucher for you"));
  await add(person, { name: "Voucher", q: "voucher" });
  await person.createJob({}, html(...story, "A voucher for you", "Another voucher"));
  expect((await found(person, 1)).map(({ message }) => message)).toEqual([
    "Voucher first appeared: “Another voucher”",
  ]);
});
