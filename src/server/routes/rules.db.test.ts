import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { TrialLine, TrialRow } from "#contract/trial.ts";
import { replay } from "#history/replay.ts";
import { tryRules } from "#history/try-rules.ts";
import { listStretch } from "#storage/executions.ts";
import { findJobToRun, type JobRow } from "#storage/jobs.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;

const shop = (price: string, ad: string) =>
  html(...story, `Fjell lamp <b id="price">${price}</b> €`, `<span class="ad">${ad}</span>`);

/** A job whose checks saw these pages one after another. */
async function watched(person: Person, pages: string[], settings: object = {}): Promise<string> {
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

async function tried(person: Person, id: string, input: object) {
  const { status, raw, body } = await person.call("POST", `/api/jobs/${id}/rules/try`, input);
  if (status !== 200) return { status, body, rows: [], end: undefined, begun: undefined };
  const lines = raw
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TrialLine);
  const rows = lines.flatMap((line) => (line.kind === "progress" ? line.rows : []));
  return { status, body, rows, begun: lines[0], end: lines.at(-1) };
}

const states = (rows: TrialRow[]) => rows.map(({ index, was, now }) => `${index} ${was.state} ${now.state}`);

test("a history is told again by other rules, and nothing is changed by it", async () => {
  const person = await engine.person();
  const id = await watched(person, [
    shop("59.00", "Sold by Ann"),
    shop("59.00", "Sold by Bob"),
    shop("59.00", "Sold by Bob"),
    shop("64.00", "Sold by Cleo"),
    shop("64.00", "Sold by Dan"),
  ]);
  const { begun, rows, end } = await tried(person, id, { ignore: [".ad"] });
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

test("by the rules as they are, it is told as it was", async () => {
  const person = await engine.person();
  const quotes = ["Patience is a plan", "Rain feeds the river", "A door is a wall that listens"];
  const page = (price: string, n: number) =>
    html(...story, `Price ${price} €`, quotes[n % quotes.length] ?? "");
  // Every capture shows another quote: what a second look finds different is noise from then on.
  let shown = 0;
  const turn = (price: string) => {
    engine.site.next.push({ html: page(price, shown++) }, { html: page(price, shown++) });
  };
  turn("5");
  const id = await person.createJob();
  await person.execution(id, 1);
  for (const price of ["5", "5", "6", "6"]) {
    turn(price);
    await person.run(id);
    engine.site.next.length = 0;
  }
  const was = (await person.executionsOf(id)).map(({ changed }) => changed).reverse();
  const { rows, end } = await tried(person, id, {});
  expect(was.filter(Boolean)).toHaveLength(1);
  expect(states(rows)).toEqual(["4 alert alert"]);
  expect(end).toMatchObject({ was: { alerts: 1 }, now: { alerts: 1 } });
  // Nor does going over every capture again say anything else, as after a change of the detector.
  const { db, jobs } = engine.app;
  const job = await findJobToRun(db, id);
  const { rows: all } = await listStretch(db, { accountId: person.accountId, jobId: id }, 100);
  const told: string[] = [];
  for await (const found of replay(
    jobs,
    job as JobRow,
    { ...(job as JobRow), lookup: null, alertIf: null },
    all,
    {
      isDetectorTried: true,
    },
  ))
    for (const { execution, was: then, now } of found)
      told.push(`${execution.number} ${then.state} ${now.state}`);
  expect(told).toEqual([1, 2, 3, 4, 5].map((n) => (n === 4 ? "4 alert alert" : `${n} quiet quiet`)));
});

test("a selector that matches nothing on some captures says so; one that was missing may be found", async () => {
  const person = await engine.person();
  const id = await watched(
    person,
    [shop("59.00", "a"), html(...story), shop("64.00", "a"), shop("64.00", "b")],
    { selector: "#price" },
  );
  const by = await tried(person, id, { selector: ".ad" });
  expect(states(by.rows)).toEqual(["2 failed failed", "3 alert quiet", "4 quiet alert"]);
  expect(by.rows[0]?.now.summary).toBe("Nothing on the page matches the selector .ad");
  const whole = await tried(person, id, { selector: null });
  expect(whole.rows[0]).toMatchObject({ was: { state: "failed" }, now: { state: "alert" } });
});

test("only a period, and the strings that are looked for", async () => {
  const person = await engine.person();
  const id = await watched(person, [shop("59.00", "a"), shop("59.00", "Sold out"), shop("59.00", "b")]);
  const [newest, middle] = await person.executionsOf(id);
  const { body } = await person.call("GET", `/api/jobs/${id}/executions/${middle?.id}`);
  const until = new Date(Date.parse(String(body.createdAt)) + 1).toISOString();
  const found = await tried(person, id, {
    to: until,
    selector: "#price, .ad",
    lookup: { strings: ["sold out"], when: "appears" },
  });
  expect(found.begun).toMatchObject({ total: 2 });
  expect(found.rows.map((row) => row.id)).not.toContain(newest?.id);
  expect(found.rows[0]?.now.summary).toMatch(/^"sold out" appeared in the visible text/);
});

test("conditions and followed values are tried too, and say why a change would not have been told", async () => {
  const person = await engine.person();
  const pages = [shop("59.00", "a"), shop("64.00", "a"), shop("49.00", "a"), shop("49.00", "Sold by Bob")];
  const id = await watched(person, pages);
  const values = [{ name: "price", by: "selector", rule: "#price" }];
  const down = { what: "number", name: "price", is: "down", amount: 20, percent: true };
  const alertIf = { match: "all", conditions: [down] };
  const { rows, end } = await tried(person, id, { values, alertIf });
  expect(states(rows)).toEqual(["2 alert quiet", "3 alert alert", "4 alert quiet"]);
  expect(rows.map(({ now }) => now.summary)).toEqual([
    "Not told: price went up, you asked for down by 20 %",
    "price 64.00 → 49.00",
    "Not told: price did not change",
  ]);
  expect(end).toMatchObject({ was: { alerts: 3 }, now: { alerts: 1 } });
  // Saved and checked again by them, it is as the trial said; and without them, what was not told would have been.
  await person.call("PATCH", `/api/jobs/${id}`, { values, alertIf });
  engine.site.page.html = shop("64.00", "Sold by Bob");
  const untold = "price went up, you asked for down by 20 %";
  expect(await person.run(id)).toMatchObject({ changed: true, untold });
  const without = await tried(person, id, { alertIf: null });
  expect(without.rows.at(-1)).toMatchObject({
    was: { state: "quiet", summary: `Not told: ${untold}` },
    now: { state: "alert", summary: "price 49.00 → 64.00" },
  });
  // What the group asks for counts where the job says nothing.
  const additions = { match: "all", conditions: [{ what: "only", is: "additions" }] };
  await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { alertIf: additions });
  const byGroup = await tried(person, id, { alertIf: null });
  expect(byGroup.end).toMatchObject({ now: { alerts: 0 } });
  expect(await tried(person, id, { values: [], alertIf })).toMatchObject({
    status: 400,
    body: { field: "alertIf.conditions.0", message: "No value of the name price is followed." },
  });
});

test("of an error page a trial tells what a check would: a failure, or the status where it is asked for", async () => {
  const person = await engine.person();
  const id = await watched(person, [shop("59.00", "")]);
  Object.assign(engine.site.page, { status: 404, html: html("Nothing here.") });
  await person.run(id);
  await person.run(id);
  Object.assign(engine.site.page, { status: 200, html: shop("64.00", "") });
  await person.run(id);
  const asIs = await tried(person, id, {});
  expect(states(asIs.rows)).toEqual(["2 failed failed", "3 failed failed", "4 alert alert"]);
  const alertIf = { match: "any", conditions: [{ what: "status", is: "404" }] };
  const asked = await tried(person, id, { alertIf });
  expect(asked.rows.map(({ index, now }) => `${index} ${now.state} ${now.summary}`)).toEqual([
    "2 alert Status 200 → 404",
    "3 quiet No change",
    "4 quiet Not told: status is 200, you asked for 404",
  ]);
});

test("what cannot be tried is refused in words", async () => {
  const [person, stranger] = [await engine.person(), await engine.person("basic")];
  const id = await watched(person, [shop("1", "a")]);
  expect(await tried(person, id, { ignore: ["p["] })).toMatchObject({
    status: 400,
    body: { code: "INVALID_INPUT", field: "ignore.0" },
  });
  expect(await tried(person, id, { ignore: Array.from({ length: 51 }, () => "a") })).toMatchObject({
    status: 400,
    body: { message: "At most 50 things to ignore." },
  });
  expect(await tried(stranger, id, {})).toMatchObject({ status: 404 });
  const empty = await engine.person();
  engine.site.page.failure = { kind: "timeout", message: "It took too long." };
  const other = await watched(empty, ["x"]);
  engine.site.page.failure = null;
  expect(await tried(empty, other, { ignore: ["x"] })).toMatchObject({
    rows: [{ was: { state: "failed" }, now: { state: "failed" } }],
  });
});

test("a trial ends when it is cancelled, and when its rules exceed their budget", async () => {
  const person = await engine.person();
  const id = await watched(person, [shop("1", "a"), shop("2", "a")]);
  const gone = new AbortController();
  const actor = { accountId: person.accountId };
  const cancelled = await tryRules(engine.app.jobs, actor as never, id, {}, gone.signal);
  await cancelled.next();
  gone.abort();
  expect(await cancelled.next()).toEqual({ done: true, value: undefined });
  const selector = "xpath://p[count(for $i in 1 to 10000000000 return $i) = 0]";
  expect(await tried(person, id, { selector })).toMatchObject({
    end: {
      kind: "problem",
      message: `At execution #1 or one of the next few: “${selector}” takes more than half a second of processor time on this page. Make it simpler or more specific. Nothing was changed.`,
    },
  });
});

// Each <i> is as deep as the selector has steps, less one: it tries all ways up before it gives up.
const stars = Array(20).fill("*").join(" ");
const deep = (word: string) =>
  html(...story, `${"<div>".repeat(15)}${`<i>${word}</i>`.repeat(300)}${"</div>".repeat(15)}`);
const slow =
  "takes more than half a second of processor time on this page. Make it simpler or more specific.";
/** A pattern whose every match looks at all that follows. */
const pattern = "/w[^§]*§|w/";

test("rules that exceed their budget on the newest capture are refused when they are saved", async () => {
  const person = await engine.person();
  const id = await watched(person, [deep("word")]);
  const other = await watched(person, [html(`w${"w".repeat(30_000)}`)]);
  const refused = async (job: string, settings: object) => {
    const { status, body } = await person.call("PATCH", `/api/jobs/${job}`, settings);
    return { status, ...body };
  };
  const problem = (rule: string, field: string) => ({
    status: 400,
    code: "INVALID_INPUT",
    field,
    message: `“${rule}” ${slow} Tried on the capture of execution #1.`,
  });
  expect(await refused(id, { selector: `main\n${stars}` })).toMatchObject(problem(stars, "selector"));
  expect(await refused(id, { ignore: [".ad", `b ${stars}`] })).toMatchObject(
    problem(`b ${stars}`, "ignore.1"),
  );
  expect(await refused(other, { ignore: [pattern] })).toMatchObject(problem(pattern, "ignore.0"));
  const conditions = [{ what: "text", is: "added", text: pattern }];
  expect(await refused(other, { alertIf: { match: "all", conditions } })).toMatchObject(
    problem(pattern, "alertIf.conditions.0"),
  );
  const values = [{ name: "it", by: "selector", rule: stars }];
  expect(await refused(id, { values })).toMatchObject(problem(stars, "values.0.rule"));
  const group = { headers: [], schedule: null, tellFailures: null, channels: null, alertIf: null };
  const given = await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, {
    ...group,
    selector: null,
    ignore: [`b ${stars}`],
  });
  expect({ status: given.status, ...given.body }).toMatchObject({
    status: 400,
    field: "ignore.0",
    message: expect.stringMatching(/Tried on the capture of execution #1 of the job Job 1\.$/),
  });
  expect(await refused(id, { selector: "main", ignore: ["i"] })).toMatchObject({ status: 200 });
});

test("a check whose rules exceed their budget fails with a sentence: no change, no baseline", async () => {
  const person = await engine.person();
  // Nothing was captured yet that would have refused it.
  const id = await watched(person, [deep("word")], { selector: stars });
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
