import { beforeAll, expect, test } from "vitest";
import { forgetUses } from "#storage/rate-limits.ts";
import { type SharedOutside, sharedOutside } from "./testing/outside.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});

/** Changes as the engine records them, all in one transaction. */
async function recordChanges(accountId: string, count: number): Promise<void> {
  const { db, queue } = world.app;
  await db.transaction().execute(async (tx) => {
    const rows = await tx
      .insertInto("notifications")
      .values(
        Array.from({ length: count }, (_, i) => ({
          account_id: accountId,
          kind: "change" as const,
          severity: "notice",
          title: `Job ${i}`,
          message: `Change number ${i}`,
        })),
      )
      .returning("id")
      .execute();
    await queue.sendMany(
      tx,
      "announce",
      rows.map(({ id }) => ({ data: { notificationId: id } })),
    );
  });
}

async function statesOf(accountIds: string[]): Promise<Record<string, number>> {
  const rows = await world.app.db
    .selectFrom("deliveries")
    .select((eb) => ["channel", "state", eb.fn.countAll<number>().as("count")])
    .where("account_id", "in", accountIds)
    .groupBy(["channel", "state"])
    .execute();
  return Object.fromEntries(rows.map((row) => [`${row.channel} ${row.state}`, Number(row.count)]));
}

test("300 changes at once: five alone, the rest as one digest for each channel; none lost, no flood", async () => {
  const one = await world.person({ telegram: true, discord: true });
  const before = world.discord.messages.length;
  await recordChanges(one.accountId, 300);
  const all = { "telegram sent": 300, "discord sent": 300, "email sent": 300 };
  const sum = (states: Record<string, number>) => Object.values(states).reduce((total, n) => total + n, 0);
  await world.until("all to be sent or held", 330, async () => {
    const states = await statesOf([one.accountId]);
    return sum(states) === 900 && Object.keys(states).every((key) => /sent|held/.test(key));
  });
  await world.until("the digests", 40, async () => {
    await world.hurry();
    return Object.keys(await statesOf([one.accountId])).length === 3;
  });
  expect(await statesOf([one.accountId])).toEqual(all);
  const mails = (await one.alerts()).map(({ subject }) => subject);
  const telegram = world.telegram.sentTo(one.chat).map(({ text }) => text.replace(/^\W+/, ""));
  const discord = world.discord.messages
    .slice(before)
    .map(({ message: { embeds } }) => embeds[0]?.title ?? "");
  for (const titles of [mails, telegram, discord]) {
    const alone = titles.flatMap((title) => /^Job \d+/.exec(title)?.[0] ?? []);
    const together = titles.map((title) => Number(/^(\d+) more changes?/.exec(title)?.[1] ?? 0));
    // A slow machine needs more than the one minute, and each has five of its own.
    const minutes = together.filter((count) => count > 0).length;
    expect(minutes).toBeGreaterThan(0);
    expect(alone.length).toBeLessThanOrEqual(5 * (minutes + 1));
    expect(new Set(alone).size).toBe(alone.length);
    expect(alone.length + together.reduce((total, count) => total + count, 0)).toBe(300);
  }
  expect(world.telegram.state.floods).toBe(0);
}, 400_000);

test("many chats at once: Telegram's pace is kept over all of them", async () => {
  const accounts: string[] = [];
  for (let i = 0; i < 6; i++) accounts.push((await world.person()).accountId);
  for (const [index, accountId] of accounts.entries()) {
    await world.app.db
      .insertInto("channels")
      .values({ account_id: accountId, kind: "telegram", chat_id: 5000 + index, label: "@x" })
      .execute();
    await world.app.db
      .updateTable("accounts")
      .set({ email_notifications: false })
      .where("id", "=", accountId)
      .execute();
  }
  await Promise.all(accounts.map((accountId) => recordChanges(accountId, 5)));
  await world.until("all messages", 60, async () => {
    await world.hurry();
    return (await statesOf(accounts))["telegram sent"] === 30;
  });
  const times = world.telegram.sent.filter(({ chatId }) => chatId.startsWith("500")).map(({ at }) => at);
  expect(times).toHaveLength(30);
  expect(world.telegram.state.floods).toBe(0);
}, 90_000);

test("N1 an address gets at most 30 mails of alerts an hour; the rest waits for a digest", async () => {
  const one = await world.person();
  for (let round = 0; round < 8; round++) {
    await recordChanges(one.accountId, 5);
    await world.until("a round", 20, async () => {
      const states = await statesOf([one.accountId]);
      return (
        !states["email waiting"] && Object.values(states).reduce((sum, n) => sum + n, 0) === (round + 1) * 5
      );
    });
    // The minute is over, the hour is not.
    await forgetUses(world.app.db, `burst:email:${one.accountId}`);
  }
  expect(await statesOf([one.accountId])).toEqual({ "email sent": 30, "email held": 10 });
  expect((await one.alerts()).length).toBe(30);
}, 90_000);
