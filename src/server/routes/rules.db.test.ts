import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { RuleTestLine, RuleTestRow } from "#contract/rule-test.ts";
import { comparedSettings } from "#group-defaults/inherit.ts";
import { replay } from "#history/test-on-history/replay.ts";
import { tryRules } from "#history/test-on-history/test-rules.ts";
import { listExecutionsBetween } from "#storage/executions.ts";
import { findJobToRun, type JobRow } from "#storage/jobs.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;

const shop = (price: string, ad: string) =>
  html(...story, `Fjell lamp <b id="price">${price}</b> €`, `<span class="ad">${ad}</span>`);

/** A job whose checks captured these pages one after another. */
async function createWatchedJob(person: Person, pages: string[], settings: object = {}): Promise<string> {
  const [first = "", ...rest] = pages;
  engine.site.page.html = first;
  const id = await person.createJob(settings);
  await person.execution(id, 1);
  for (const page of rest) {
    engine.site.page.html = page;
    await person.run(id);
  }
  return id;
}

async function testOnHistory(person: Person, id: string, input: object) {
  const { status, raw, body } = await person.call("POST", `/api/jobs/${id}/rules/try`, input);
  if (status !== 200) return { status, body, rows: [], end: undefined, begun: undefined };
  const lines = raw
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RuleTestLine);
  const rows = lines.flatMap((line) => (line.kind === "progress" ? line.rows : []));
  return { status, body, rows, begun: lines[0], end: lines.at(-1) };
}

const states = (rows: RuleTestRow[]) =>
  rows.map(({ index, was, now }) => `${index} ${was.state} ${now.state}`);

test("a test on history shows which alerts other rules would give, and changes nothing", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [
    shop("59.00", "Sold by Ann"),
    shop("59.00", "Sold by Bob"),
    shop("59.00", "Sold by Bob"),
    shop("64.00", "Sold by Cleo"),
    shop("64.00", "Sold by Dan"),
  ]);
  const { begun, rows, end } = await testOnHistory(person, id, { ignore: [".ad"] });
  expect(begun).toEqual({ kind: "begun", total: 5, left: 0 });
  expect(states(rows)).toEqual(["2 alert quiet", "4 alert alert", "5 alert quiet"]);
  expect(end).toEqual({
    kind: "done",
    was: { alerts: 3, digests: 0, failed: 0 },
    now: { alerts: 1, digests: 0, failed: 0 },
  });
  expect(rows[0]).toMatchObject({
    was: { summary: "“Sold by” Ann → Bob" },
    about: [expect.any(String)],
  });
  expect(rows[1]?.now.summary).toBe("“Fjell lamp” 59.00 € → 64.00 €");
  expect((await person.call("GET", `/api/jobs/${id}`)).body).toMatchObject({ ignore: [], changesTotal: 3 });
  const pair = { from: rows[1]?.fromId, to: rows[1]?.id };
  const compared = await person.call("POST", `/api/jobs/${id}/rules/compare`, { ...pair, ignore: [".ad"] });
  expect(compared.body).toMatchObject({ changed: true, summary: "“Fjell lamp” 59.00 € → 64.00 €" });
  const text = JSON.stringify(compared.body);
  expect(text).not.toContain("Cleo");
});

test("a test on history applies steps, and its comparisons show what they leave", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [
    shop("59.00", "Sold by Ann"),
    shop("59.80", "Sold by Bob"),
    shop("64.00", "Sold by Bob"),
  ]);
  const steps = [{ do: "capture", text: "/lamp (\\d+)/", to: "" }];
  const { rows } = await testOnHistory(person, id, { steps });
  expect(states(rows)).toEqual(["2 alert quiet", "3 alert alert"]);
  const pair = { from: rows[1]?.fromId, to: rows[1]?.id };
  const compared = await person.call("POST", `/api/jobs/${id}/rules/compare`, { ...pair, steps });
  expect(compared.body).toMatchObject({ changed: true, summary: "“59” → “64”" });
});

test("ignore rules that would ignore everything are refused when they are saved, by themselves or together", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [html("Lamp 5 €", "Door 7 €")]);
  const save = async (ignore: string[]) => {
    const { status, body } = await person.call("PATCH", `/api/jobs/${id}`, { ignore });
    return status === 200 ? "saved" : `${String(body.field)}: ${String(body.message)}`;
  };
  expect(await save(["Lamp", "/.+/s"])).toBe(
    "ignore.1: “/.+/s” matches everything, so no change would ever be reported.",
  );
  expect(await save(["/\\d*/"])).toContain("“/\\d*/” also matches where there is nothing");
  expect(await save(["/\\d+/I"])).toContain("Unknown flag “I”");
  expect(await save(["p"])).toContain("ignore.0: “p” ignores everything on this page");
  expect(await save(["Lamp", "Door"])).toContain("Together, the ignore rules ignore everything on this page");
  expect(await save(["Lamp"])).toBe("saved");
  const group = await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { ignore: ["Door"] });
  expect(group.body).toMatchObject({ message: expect.stringContaining("everything on this page") });
});

test("an ignore rule that matched nothing at five checks is named, until it matches again", async () => {
  const person = await engine.person();
  const page = (price: string, more = "") => shop(price, "Sold by Ann") + more;
  const id = await createWatchedJob(
    person,
    ["1", "1", "2", "3"].map((price) => page(price)),
    {
      ignore: [".ad", ".gone", "cookies"],
    },
  );
  const idle = async () => (await person.call("GET", `/api/jobs/${id}/noise`)).body.idleRules;
  expect(await idle()).toEqual([]);
  await person.run(id);
  expect(await idle()).toEqual([".gone", "cookies"]);
  engine.site.page.html = page("3", '<p class="gone">Back</p>');
  await person.run(id);
  expect(await idle()).toEqual(["cookies"]);
});

test("an empty reply is a failure, not a removal, and later checks are compared with the page before it", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [shop("59.00", "a")]);
  engine.site.page.html = "";
  expect(await person.run(id)).toMatchObject({
    changed: false,
    error: expect.stringContaining("empty reply"),
  });
  engine.site.page.html = shop("59.00", "a");
  expect(await person.run(id)).toMatchObject({ changed: false, error: null, summary: "No change" });
  // Empty only when a change is to be confirmed: the next check tells.
  engine.site.next.push({ html: shop("64.00", "a") }, { html: "" });
  expect(await person.run(id)).toMatchObject({ changed: false, error: null });
  engine.site.page.html = shop("64.00", "a");
  expect(await person.run(id)).toMatchObject({ changed: true, summary: "“Fjell lamp” 59.00 € → 64.00 €" });
});

test("a test on history with the current rules gives the recorded results", async () => {
  const person = await engine.person();
  const quotes = ["Patience is a plan", "Rain feeds the river", "A door is a wall that listens"];
  const page = (price: string, n: number) =>
    html(...story, `Price ${price} €`, quotes[n % quotes.length] ?? "");
  // Every capture shows another quote: what differs in the confirmation is noise from then on.
  let quoteIndex = 0;
  const serveNextQuotes = (price: string) => {
    engine.site.next.push({ html: page(price, quoteIndex++) }, { html: page(price, quoteIndex++) });
  };
  serveNextQuotes("5");
  const id = await person.createJob();
  await person.execution(id, 1);
  for (const price of ["5", "5", "6", "6"]) {
    serveNextQuotes(price);
    await person.run(id);
    engine.site.next.length = 0;
  }
  const was = (await person.executionsOf(id)).map(({ changed }) => changed).reverse();
  const { rows, end } = await testOnHistory(person, id, {});
  expect(was.filter(Boolean)).toHaveLength(1);
  expect(states(rows)).toEqual(["4 alert alert"]);
  expect(end).toMatchObject({ was: { alerts: 1 }, now: { alerts: 1 } });
  // Comparing every capture again, as after a change of the detector, gives the same results.
  const { db, jobs } = engine.app;
  const job = await findJobToRun(db, id);
  const { rows: all } = await listExecutionsBetween(db, { accountId: person.accountId, jobId: id }, 100);
  const results: string[] = [];
  for await (const batch of replay(jobs, job as JobRow, comparedSettings(job as JobRow), all, {
    isDetectorTried: true,
  }))
    for (const { execution, was: recorded, now } of batch)
      results.push(`${execution.number} ${recorded.state} ${now.state}`);
  expect(results).toEqual([1, 2, 3, 4, 5].map((n) => (n === 4 ? "4 alert alert" : `${n} quiet quiet`)));
});

test("a tested selector fails on captures without a match, and failed checks can become alerts without it", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(
    person,
    [shop("59.00", "a"), html(...story), shop("64.00", "a"), shop("64.00", "b")],
    { selector: "#price" },
  );
  const withSelector = await testOnHistory(person, id, { selector: ".ad" });
  expect(states(withSelector.rows)).toEqual(["2 failed failed", "3 alert quiet", "4 quiet alert"]);
  expect(withSelector.rows[0]?.now.summary).toBe("Nothing on the page matches the selector .ad");
  const withoutSelector = await testOnHistory(person, id, { selector: null });
  expect(withoutSelector.rows[0]).toMatchObject({ was: { state: "failed" }, now: { state: "alert" } });
});

test("a test on history can be limited to a period and covers lookup strings", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [
    shop("59.00", "a"),
    shop("59.00", "Sold out"),
    shop("59.00", "b"),
  ]);
  const [newest, middle] = await person.executionsOf(id);
  const { body } = await person.call("GET", `/api/jobs/${id}/executions/${middle?.id}`);
  const until = new Date(Date.parse(String(body.createdAt)) + 1).toISOString();
  const found = await testOnHistory(person, id, {
    to: until,
    selector: "#price, .ad",
    lookup: { strings: ["sold out"], when: "appears" },
  });
  expect(found.begun).toMatchObject({ total: 2 });
  expect(found.rows.map((row) => row.id)).not.toContain(newest?.id);
  expect(found.rows[0]?.now.summary).toMatch(/^"sold out" appeared in the visible text/);
});

test("a test on history covers conditions and followed values and says why a change gives no alert", async () => {
  const person = await engine.person();
  const pages = [shop("59.00", "a"), shop("64.00", "a"), shop("49.00", "a"), shop("49.00", "Sold by Bob")];
  const id = await createWatchedJob(person, pages);
  const values = [{ name: "price", by: "selector", rule: "#price" }];
  const down = { what: "number", name: "price", is: "down", amount: 20, percent: true };
  const alertIf = { match: "all", conditions: [down] };
  const { rows, end } = await testOnHistory(person, id, { values, alertIf });
  expect(states(rows)).toEqual(["2 alert quiet", "3 alert alert", "4 alert quiet"]);
  expect(rows.map(({ now }) => now.summary)).toEqual([
    "No alert: price went up, you asked for down by 20%",
    "price 64.00 → 49.00",
    "No alert: price did not change",
  ]);
  expect(end).toMatchObject({ was: { alerts: 3 }, now: { alerts: 1 } });
  // After saving, a check gives the tested result; without the conditions, the suppressed change would be alerted.
  await person.call("PATCH", `/api/jobs/${id}`, { values, alertIf });
  engine.site.page.html = shop("64.00", "Sold by Bob");
  const whyQuiet = "price went up, you asked for down by 20%";
  expect(await person.run(id)).toMatchObject({ changed: true, untold: whyQuiet });
  const without = await testOnHistory(person, id, { alertIf: null });
  expect(without.rows.at(-1)).toMatchObject({
    was: { state: "quiet", summary: `No alert: ${whyQuiet}` },
    now: { state: "alert", summary: "price 49.00 → 64.00" },
  });
  // The group's conditions apply where the job has none.
  const additions = { match: "all", conditions: [{ what: "only", is: "additions" }] };
  await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { alertIf: additions });
  const byGroup = await testOnHistory(person, id, { alertIf: null });
  expect(states(byGroup.rows)).toEqual(["2 alert quiet", "3 alert quiet", "4 alert alert"]);
  expect(await testOnHistory(person, id, { values: [], alertIf })).toMatchObject({
    status: 400,
    body: { field: "alertIf.conditions.0", message: "No value named price is followed." },
  });
});

test("a test on history treats an error page like a check: as a failure, or as a status that is asked for", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [shop("59.00", "")]);
  Object.assign(engine.site.page, { status: 404, html: html("Nothing here.") });
  await person.run(id);
  await person.run(id);
  Object.assign(engine.site.page, { status: 200, html: shop("64.00", "") });
  await person.run(id);
  const asIs = await testOnHistory(person, id, {});
  expect(states(asIs.rows)).toEqual(["2 failed failed", "3 failed failed", "4 alert alert"]);
  const alertIf = { match: "any", conditions: [{ what: "status", is: "404" }] };
  const asked = await testOnHistory(person, id, { alertIf });
  expect(asked.rows.map(({ index, now }) => `${index} ${now.state} ${now.summary}`)).toEqual([
    "2 alert Status 200 → 404",
    "3 quiet No change",
    "4 quiet No alert: status is 200, you asked for 404",
  ]);
});

test("invalid rules and other accounts' jobs can't be tested, and failed checks stay failed", async () => {
  const [person, stranger] = [await engine.person(), await engine.person("basic")];
  const id = await createWatchedJob(person, [shop("1", "a")]);
  expect(await testOnHistory(person, id, { ignore: ["p["] })).toMatchObject({
    status: 400,
    body: { code: "INVALID_INPUT", field: "ignore.0" },
  });
  expect(await testOnHistory(person, id, { ignore: Array.from({ length: 51 }, () => "a") })).toMatchObject({
    status: 400,
    body: { message: "At most 50 things to ignore." },
  });
  expect(await testOnHistory(stranger, id, {})).toMatchObject({ status: 404 });
  const empty = await engine.person();
  engine.site.page.failure = { kind: "timeout", message: "It took too long." };
  const other = await createWatchedJob(empty, ["x"]);
  engine.site.page.failure = null;
  expect(await testOnHistory(empty, other, { ignore: ["x"] })).toMatchObject({
    rows: [{ was: { state: "failed" }, now: { state: "failed" } }],
  });
});

test("a test on history ends when it is canceled and when its rules exceed their budget", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [shop("1", "a"), shop("2", "a")]);
  const abortController = new AbortController();
  const actor = { accountId: person.accountId };
  const cancelled = await tryRules(engine.app.jobs, actor as never, id, {}, abortController.signal);
  await cancelled.next();
  abortController.abort();
  expect(await cancelled.next()).toEqual({ done: true, value: undefined });
  const selector = "xpath://p[count(for $i in 1 to 10000000000 return $i) = 0]";
  expect(await testOnHistory(person, id, { selector })).toMatchObject({
    end: {
      kind: "problem",
      message: `At execution #1 or one of the next few: “${selector}” takes more than half a second of processor time on this page. Make it simpler or more specific. Nothing was changed.`,
    },
  });
});

// Each <i> is one level less deep than the selector has steps, so that it tries all ways up before it gives up.
const stars = Array(20).fill("*").join(" ");
const deep = (word: string) =>
  html(...story, `${"<div>".repeat(15)}${`<i>${word}</i>`.repeat(300)}${"</div>".repeat(15)}`);
const slow =
  "takes more than half a second of processor time on this page. Make it simpler or more specific.";
/** A pattern that scans all the following text for every match. */
const pattern = "/w[^§]*§|w/";

test("rules that exceed their budget on the newest capture are refused when they are saved", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [deep("word")]);
  const other = await createWatchedJob(person, [html(`w${"w".repeat(30_000)}`)]);
  const saveSettings = async (job: string, settings: object) => {
    const { status, body } = await person.call("PATCH", `/api/jobs/${job}`, settings);
    return { status, ...body };
  };
  const problem = (rule: string, field: string) => ({
    status: 400,
    code: "INVALID_INPUT",
    field,
    message: `“${rule}” ${slow} Tried on the capture of execution #1.`,
  });
  expect(await saveSettings(id, { selector: `main\n${stars}` })).toMatchObject(problem(stars, "selector"));
  // A slow selector as an ignore rule is tested with the group, below.
  expect(await saveSettings(other, { ignore: [".ad", pattern] })).toMatchObject(problem(pattern, "ignore.1"));
  const conditions = [{ what: "text", is: "added", text: pattern }];
  expect(await saveSettings(other, { alertIf: { match: "all", conditions } })).toMatchObject(
    problem(pattern, "alertIf.conditions.0"),
  );
  const values = [{ name: "it", by: "selector", rule: stars }];
  expect(await saveSettings(id, { values })).toMatchObject(problem(stars, "values.0.rule"));
  const group = { headers: [], schedule: null, tellFailures: null, channels: null, alertIf: null };
  const groupAnswer = await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, {
    ...group,
    selector: null,
    ignore: [`b ${stars}`],
  });
  expect({ status: groupAnswer.status, ...groupAnswer.body }).toMatchObject({
    status: 400,
    field: "ignore.0",
    message: expect.stringMatching(/Tried on the capture of execution #1 of the job Job 1\.$/),
  });
  expect(await saveSettings(id, { selector: "main", ignore: ["i"] })).toMatchObject({ status: 200 });
});

test("a baseline on which the rules exceed their budget is kept, and later changes are alerted", async () => {
  const person = await engine.person();
  const id = await createWatchedJob(person, [deep("word")]);
  // Written to the database directly, because saving would test and refuse the rule.
  const rule = `b ${stars}`;
  await engine.app.db
    .updateTable("jobs")
    .set({ ignore: JSON.stringify([rule]) })
    .where("id", "=", id)
    .execute();
  engine.site.page.html = html("A short page");
  expect(await person.run(id)).toMatchObject({ changed: false, error: `“${rule}” ${slow}` });
  await person.call("PATCH", `/api/jobs/${id}`, { ignore: [] });
  expect(await person.run(id)).toMatchObject({ changed: true, error: null });
});

test("a check whose rules exceed their budget fails with a message, without a change or a baseline", async () => {
  const person = await engine.person();
  // There is no capture yet on which the rule could have been tested and refused.
  const id = await createWatchedJob(person, [deep("word")], { selector: stars });
  const [first] = await person.executionsOf(id);
  expect(first).toMatchObject({ changed: false, error: `“${stars}” ${slow}` });
  engine.site.page.html = html("A short page");
  expect(await person.run(id)).toMatchObject({
    changed: false,
    error: expect.stringMatching(/matches the selector/),
  });
  await person.call("PATCH", `/api/jobs/${id}`, { selector: "main, body" });
  expect(await person.run(id)).toMatchObject({ changed: false, error: null });
  expect((await person.logsOf(id)).join("\n")).toMatch(/First capture: later ones are compared with it/);
});
