import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "./testing/outside.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});

type Person = Awaited<ReturnType<typeof world.person>>;
const defaultSchedule = { important: "at-once", notice: "at-once", dailyAt: 8, quiet: null, zone: "UTC" };

const saveSchedule = (person: Person, channel: string, schedule: object) =>
  person.call("PUT", `/api/me/channels/${channel}/pace`, { ...defaultSchedule, ...schedule });

/** Records a change and queues its announcement, as a check does. */
async function record({ accountId }: Person, severity: string, title: string): Promise<void> {
  const { db, queue } = world.app;
  const { id } = await db
    .insertInto("notifications")
    .values({ account_id: accountId, kind: "change", severity, title, message: `${title} changed` })
    .returning("id")
    .executeTakeFirstOrThrow();
  await queue.send(db, "announce", { notificationId: id });
}

const deliveries = ({ accountId }: Person) =>
  world.app.db
    .selectFrom("deliveries")
    .innerJoin("notifications", "notifications.id", "deliveries.notification_id")
    .select(["channel", "state", "held_until", "title"])
    .where("deliveries.account_id", "=", accountId)
    .orderBy("deliveries.id")
    .execute();

const settledDeliveries = (person: Person, count: number) =>
  world.eventually(`${count} deliveries`, async () => {
    const rows = await deliveries(person);
    return rows.length === count && rows.every(({ state }) => state !== "waiting") && rows;
  });

/** Makes the held deliveries due, as if their hour or day had come. */
async function release({ accountId }: Person): Promise<void> {
  await sql`update deliveries set held_until = now() where account_id = ${accountId} and held_until is not null`.execute(
    world.app.db,
  );
}

test("critical changes are sent at once, and the others in the hourly digest with the most severe first", async () => {
  const person = await world.person();
  expect((await saveSchedule(person, "email", { important: "hourly", notice: "hourly" })).status).toBe(200);
  await record(person, "notice", "Small");
  await settledDeliveries(person, 1);
  await record(person, "important", "Large");
  await settledDeliveries(person, 2);
  await record(person, "critical", "Grave");
  const rows = await settledDeliveries(person, 3);
  expect(rows.map(({ title, state }) => `${title} ${state}`)).toEqual([
    "Small held",
    "Large held",
    "Grave sent",
  ]);
  const hour = rows[0]?.held_until;
  expect([hour?.getUTCMinutes(), rows[1]?.held_until?.getTime()]).toEqual([0, hour?.getTime()]);
  // A digest task that runs too early sends nothing.
  await world.hurry();
  expect((await person.alerts()).map(({ subject }) => subject)).toEqual([expect.stringContaining("Grave")]);

  await release(person);
  await world.app.queue.send(world.app.db, "digest", {
    accountId: person.accountId,
    channel: "email",
    attempts: 0,
  });
  const digest = await world.eventually("the digest", async () => (await person.alerts())[1]);
  expect(digest.subject).toBe("2 alerts, the most severe first");
  expect(digest.text.indexOf("Large")).toBeLessThan(digest.text.indexOf("Small"));
  expect(digest.text).not.toContain("Grave");
  await world.eventually("all sent", async () =>
    (await deliveries(person)).every(({ state }) => state === "sent"),
  );
});

test("an alert that waits for the hourly digest names the condition that its change met there, too", async () => {
  const person = await world.person();
  await saveSchedule(person, "email", { important: "hourly", notice: "hourly" });
  const conditions = [{ what: "text", is: "added", text: "Sold out" }];
  const jobId = await person.createJob({ alertIf: { match: "all", conditions } });
  await person.change(jobId, "Sold out since May");
  await settledDeliveries(person, 1);
  await release(person);
  const { accountId } = person;
  await world.app.queue.send(world.app.db, "digest", { accountId, channel: "email", attempts: 0 });
  const digest = await world.eventually("the digest", async () => (await person.alerts())[0]);
  expect(digest.subject).toBe("1 alert");
  expect(digest.text).toContain("You asked for: ‘Sold out’ added");
});

test("each channel has its own schedule, and an hourly digest doesn't wait for the daily one", async () => {
  const person = await world.person({ discord: true });
  const hour = (new Date().getUTCHours() + 5) % 24;
  await saveSchedule(person, "email", { important: "hourly", notice: "daily", dailyAt: hour });
  await record(person, "notice", "Small");
  const [mail, discord] = (await settledDeliveries(person, 2)).sort((a) => (a.channel === "email" ? -1 : 1));
  expect([mail?.state, discord?.state]).toEqual(["held", "sent"]);
  expect(mail?.held_until?.getUTCHours()).toBe(hour);
  await record(person, "important", "Large");
  const rows = await settledDeliveries(person, 4);
  const large = rows.find(({ title, channel }) => title === "Large" && channel === "email");
  expect(large?.held_until?.getTime()).toBeLessThan(mail?.held_until?.getTime() ?? 0);
});

test("quiet hours hold back everything that isn't critical, whether a change or a failure", async () => {
  const person = await world.person();
  const now = new Date().getUTCHours();
  await saveSchedule(person, "email", { quiet: { from: now, to: (now + 2) % 24 } });
  const id = await person.createJob({ tellFailures: { down: 1, gone: 1 } });
  world.site.next.push({ failure: { kind: "refused", message: "Nobody answers there." } });
  await person.run(id);
  await person.change(id, "A new line");
  const rows = await settledDeliveries(person, 3);
  expect(rows.map(({ state, held_until }) => [state, held_until?.getUTCHours()])).toEqual(
    Array.from({ length: 3 }, () => ["held", (now + 2) % 24]),
  );
  expect(await person.alerts()).toEqual([]);
});

test("an invalid schedule is refused with the name of its field, and nothing of it is stored", async () => {
  const person = await world.person();
  const invalidSchedules: [schedule: object, field: string][] = [
    [{ quiet: { from: 7, to: 7 } }, "quiet.to"],
    [{ quiet: { from: 7, to: 24 } }, "quiet.to"],
    [{ notice: "weekly" }, "notice"],
    [{ zone: "Moon/Tycho" }, "zone"],
    [{ dailyAt: 8.5 }, "dailyAt"],
  ];
  for (const [schedule, field] of invalidSchedules) {
    const { status, body } = await saveSchedule(person, "email", schedule);
    expect([status, body.field]).toEqual([400, field]);
  }
  expect((await person.call("GET", "/api/me/paces")).body).toEqual({ paces: {} });
  await saveSchedule(person, "telegram", { notice: "daily" });
  expect((await person.call("GET", "/api/me/paces")).body).toEqual({
    paces: { telegram: { ...defaultSchedule, notice: "daily" } },
  });
});
