import { beforeAll, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { resetUses } from "#request-limits/rate-limits.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});

/** Records changes as checks do, all in one transaction. */
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

// A rebuilt site causes thousands of changes; beyond the first five, their number changes nothing but the count.
const burst = process.env.TEST_SIZE === "long" ? 300 : 60;

test(`${burst} changes at once give five alerts and a digest per channel, within rate limits, all sent`, async () => {
  const user = await world.person({ telegram: true, discord: true });
  const before = world.discord.messages.length;
  await recordChanges(user.accountId, burst);
  const all = { "telegram sent": burst, "discord sent": burst, "email sent": burst };
  const sum = (states: Record<string, number>) => Object.values(states).reduce((total, n) => total + n, 0);
  await world.until(
    "all to be sent or held",
    async () => {
      const states = await statesOf([user.accountId]);
      return sum(states) === 3 * burst && Object.keys(states).every((key) => /sent|held/.test(key));
    },
    600,
  );
  await world.until("the digests", async () => {
    await world.hurry();
    return Object.keys(await statesOf([user.accountId])).length === 3;
  });
  expect(await statesOf([user.accountId])).toEqual(all);
  const mails = (await user.alerts()).map(({ subject }) => subject);
  const telegram = world.telegram.sentTo(user.chat).map(({ text }) => text.replace(/^\W+/, ""));
  const discord = world.discord.messages
    .slice(before)
    .map(({ message: { embeds } }) => embeds[0]?.title ?? "");
  for (const titles of [mails, telegram, discord]) {
    const singleAlerts = titles.flatMap((title) => /^Job \d+/.exec(title)?.[0] ?? []);
    const digestCounts = titles.map((title) => Number(/^(\d+) more changes?/.exec(title)?.[1] ?? 0));
    // A slow machine needs more than a minute, and each minute allows five single alerts.
    const minutes = digestCounts.filter((count) => count > 0).length;
    expect(minutes).toBeGreaterThan(0);
    expect(singleAlerts.length).toBeLessThanOrEqual(5 * (minutes + 1));
    expect(new Set(singleAlerts).size).toBe(singleAlerts.length);
    expect(singleAlerts.length + digestCounts.reduce((total, count) => total + count, 0)).toBe(burst);
  }
  expect(world.telegram.state.floods).toBe(0);
}, 900_000);

test("messages to many chats at once stay within Telegram's overall rate limit", async () => {
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
  await world.until("all messages", async () => {
    await world.hurry();
    return (await statesOf(accounts))["telegram sent"] === 30;
  });
  const times = world.telegram.sent.filter(({ chatId }) => chatId.startsWith("500")).map(({ at }) => at);
  expect(times).toHaveLength(30);
  expect(world.telegram.state.floods).toBe(0);
});

test("N1 an address gets at most 30 alert mails an hour, and the other alerts are held for a digest", async () => {
  const user = await world.person();
  for (let round = 0; round < 8; round++) {
    await recordChanges(user.accountId, 5);
    await world.until("a round", async () => {
      const states = await statesOf([user.accountId]);
      return (
        !states["email waiting"] && Object.values(states).reduce((sum, n) => sum + n, 0) === (round + 1) * 5
      );
    });
    // As if the minute were over, but not the hour.
    await resetUses(world.app.db, `burst:email:${user.accountId}`);
  }
  expect(await statesOf([user.accountId])).toEqual({ "email sent": 30, "email held": 10 });
  expect((await user.alerts()).length).toBe(30);
});
