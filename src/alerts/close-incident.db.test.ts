import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { spawnWorker } from "#checks/testing/spawn-worker.ts";
import { closeIncident } from "./close-incident.ts";
import { type SharedOutside, sharedOutside } from "./testing/outside.ts";
import { deployed, watchPages } from "./testing/pages.ts";

// What happens between the first alert of an incident and its closing message when pages never stop joining, processes
// end, or several work at once. combined-alerts.db.test.ts tests which alerts are combined.

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => world.reset());

type Person = Awaited<ReturnType<typeof watchPages>>;

const noSummary = async () => null;
const incidentOf = async ({ accountId }: Person) =>
  (
    await world.app.db
      .selectFrom("incidents")
      .select("id")
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow()
  ).id;
const closingsOf = async (person: Person) =>
  (await person.feed()).filter(({ kind }) => kind === "incident").map(({ title }) => title);
const close = async (person: Person, deps = world.app.alerts) =>
  closeIncident(deps, { incidentId: await incidentOf(person) }, noSummary);

test("pages that keep joining for an hour don't hold back the closing message any longer", async () => {
  const person = await watchPages(world, { telegram: false });
  const [first, second, third] = await person.addPages(3);
  if (!first || !second || !third) throw new Error("no pages");
  for (const page of [first, second]) await person.pages.change(page, deployed);
  await person.settled();
  const waitedFor = async (minutes: number) => {
    await sql`update joined_alerts set created_at = now() - make_interval(mins => ${minutes})
      where account_id = ${person.accountId}`.execute(world.app.db);
  };
  await waitedFor(59);
  await close(person);
  expect(await closingsOf(person)).toEqual([]);
  await person.pages.change(third, deployed);
  await person.settled();
  await sql`update joined_alerts set created_at = now() - interval '61 minutes'
    where ctid = (select ctid from joined_alerts where account_id = ${person.accountId} order by created_at limit 1)`.execute(
    world.app.db,
  );
  await close(person);
  expect(await closingsOf(person)).toEqual(["The same change on 2 more pages"]);
  expect(await person.uncovered("email")).toBe(0);
});

/** Three pages in one message, and a fourth whose edit waits for an hour. */
async function joinWithoutEdit() {
  const person = await watchPages(world);
  const { db, queue } = world.app;
  const [last, ...first] = await person.addPages(4);
  if (!last) throw new Error("no pages");
  for (const page of first) await person.pages.change(page, deployed);
  await person.settled();
  await world.eventually("the first edit", async () => (await person.uncovered("telegram")) === 0);
  const lead = (await person.rows()).find(({ channel }) => channel === "telegram")?.lead_id ?? "";
  const edit = { deliveryId: lead, attempts: 0 };
  await queue.send(db, "edit-alert", edit, { singletonKey: lead, startAfter: 3600 });
  await person.pages.change(last, deployed);
  await world.waitFor("the last page", async () => (await person.uncovered("telegram")) === 1);
  return { person, lead };
}

/** Edits a message in a process of its own, which is killed once Telegram has made the edit. */
async function killBeforeRecord({ person, lead }: Awaited<ReturnType<typeof joinWithoutEdit>>) {
  world.telegram.state.answersEdits = false;
  const editsBefore = person.telegram()[0]?.edits ?? 0;
  const worker = spawnWorker(join(import.meta.dirname, "testing/editing-worker.ts"), world.app.config, {
    args: [lead],
    environment: {
      TELEGRAM_BOT_TOKEN: world.telegram.token,
      TELEGRAM_API_ROOT: world.telegram.url,
    },
  });
  await world.until("the edit", () => (person.telegram()[0]?.edits ?? 0) > editsBefore);
  worker.kill("SIGKILL");
  await once(worker, "exit");
  world.telegram.state.answersEdits = true;
}

test("a process that is killed between an edit and its record: the edit is repeated, and no closing message follows", async () => {
  const joined = await joinWithoutEdit();
  const { person } = joined;
  await killBeforeRecord(joined);
  expect(await person.uncovered("telegram")).toBe(1);
  const shown = person.telegram().map(({ text }) => text);
  expect(shown[0]).toContain("3 other pages");
  await world.eventually("the second edit", async () => (await person.uncovered("telegram")) === 0);
  await world.passQuietTime(person.accountId);
  await world.eventually("the closing mail", async () => (await person.alerts())[1]);
  await person.settled();
  expect(person.telegram().map(({ text }) => text)).toEqual(shown);
});

test("a page whose edit was never recorded is in the closing message", async () => {
  const { person } = await joinWithoutEdit();
  await sql`delete from pgboss.job where name = 'edit-alert'`.execute(world.app.db);
  await world.passQuietTime(person.accountId);
  const closing = await world.eventually("the closing message", async () => person.telegram()[1]);
  expect(closing.text).toMatch(/You haven’t been alerted about .*Page 0/);
  expect(await person.uncovered("telegram")).toBe(0);
});

test("a worker that is killed while it closes an incident leaves nothing half done, and several at once send one message", async () => {
  const person = await watchPages(world, { telegram: false });
  for (const page of await person.addPages(4)) await person.pages.change(page, deployed);
  await person.settled();
  await sql`delete from pgboss.job where name = 'close-incident'
    and data ->> 'incidentId' = ${await incidentOf(person)}`.execute(world.app.db);
  await world.passQuietTime(person.accountId);
  const { alerts } = world.app;
  const queue = Object.assign(Object.create(alerts.queue) as typeof alerts.queue, {
    send: () => Promise.reject(new Error("killed")),
  });
  await expect(close(person, { ...alerts, queue })).rejects.toThrow("killed");
  expect([await closingsOf(person), await person.uncovered("email")]).toEqual([[], 3]);
  await Promise.all(Array.from({ length: 6 }, () => close(person)));
  expect(await closingsOf(person)).toEqual(["The same change on 3 more pages"]);
  await world.eventually("the closing mail", async () => (await person.alerts()).length === 2);
});

test("several processes that announce one deployment at once send its first alert once", async () => {
  const other = await startTestEngine({ database: world.connectionString, capturing: false });
  try {
    const person = await watchPages(world, { discord: true });
    const pages = await person.addPages(16);
    await Promise.all(pages.map((page) => person.pages.change(page, deployed)));
    await person.settled();
    const { db } = world.app;
    const sent = await db
      .selectFrom("deliveries")
      .select("channel")
      .where("account_id", "=", person.accountId)
      .orderBy("channel")
      .execute();
    expect(sent.map(({ channel }) => channel)).toEqual(["discord", "email"]);
    expect(await person.rows()).toHaveLength(2 * 15);
    expect(world.discord.messages).toHaveLength(1);
    await world.passQuietTime(person.accountId);
    await world.waitFor("the closing message", async () => (await closingsOf(person)).length > 0);
    await person.settled();
    expect(await closingsOf(person)).toEqual(["The same change on 15 more pages"]);
  } finally {
    await other.close();
  }
});
