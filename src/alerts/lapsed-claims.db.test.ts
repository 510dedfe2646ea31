import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendMail } from "#mail/send-mail.ts";
import type { Attempt } from "#queue/queue.ts";
import { runTrigger } from "#triggers/run-trigger.ts";
import { deliver } from "./deliver.ts";
import { startOutside } from "./testing/outside.ts";

/** A mail server that accepts each mail only when the test says so. */
async function startSlowMailServer() {
  const conversations: { to: string; messageId: string; accept: () => void }[] = [];
  let isClosing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, session, done) {
      let text = "";
      for await (const chunk of stream) text += chunk;
      conversations.push({
        to: session.envelope.rcptTo[0]?.address ?? "",
        messageId: /^message-id: (.*)$/im.exec(text)?.[1] ?? "",
        accept: () => done(),
      });
      if (isClosing) done();
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    conversations,
    /** Mails that the product sends while it closes are accepted at once. */
    acceptAll() {
      isClosing = true;
      for (const { accept } of conversations) accept();
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

let smtp: Awaited<ReturnType<typeof startSlowMailServer>>;
let world: Awaited<ReturnType<typeof startOutside>>;
beforeAll(async () => {
  smtp = await startSlowMailServer();
  world = await startOutside({ SMTP_URL: smtp.url });
});
afterAll(async () => {
  smtp.acceptAll();
  await world.close();
  await smtp.close();
});

const mailsTo = (email: string) => smtp.conversations.filter(({ to }) => to === email);
const statesOf = async (name: string, data: object) => {
  const { rows } = await sql<{ state: string }>`
    select state from pgboss.job where name = ${name} and data @> ${JSON.stringify(data)}::jsonb`.execute(
    world.app.db,
  );
  return rows.map(({ state }) => state);
};
/** As the queue does when a worker's heartbeat was late; the next attempt may begin after the seconds. */
const lapseClaim = (name: string, data: object, seconds: number) =>
  sql`update pgboss.job set state = 'retry', start_after = now() + ${seconds} * interval '1 second'
    where name = ${name} and state = 'active' and data @> ${JSON.stringify(data)}::jsonb`.execute(
    world.app.db,
  );

test("R3 an alert whose claim lapses while the mail server takes the mail is recorded and not sent again", async () => {
  const { createJob, change, email, detail } = await world.person();
  const jobId = await createJob();
  const { id } = await change(jobId, "A paragraph that is sent by a starved machine.");
  await world.waitFor("the conversation", async () => mailsTo(email).length === 1);
  const delivery = await world.app.db
    .selectFrom("deliveries")
    .select("id")
    .where("execution_id", "=", id)
    .executeTakeFirstOrThrow();
  const task = { deliveryId: delivery.id };
  await lapseClaim("deliver", task, 3600);
  mailsTo(email)[0]?.accept();
  await world.waitFor("the record", async () => (await detail(jobId, id)).deliveries[0]?.state === "sent");
  expect(await statesOf("deliver", task)).toEqual(["completed"]);
  // As if the operator sent the task again.
  await world.app.queue.send(world.app.db, "deliver", task);
  await world.waitFor("its end", async () => {
    await world.hurry();
    return (await statesOf("deliver", task)).join() === "completed,completed";
  });
  expect(mailsTo(email)).toHaveLength(1);
});

test("R3 a mail is sent once for each claim at most, with the same Message-ID, and not again once one was accepted", async () => {
  const { queue, accounts, db } = world.app;
  const email = "lapsed@example.com";
  await sendMail({ queue, secrets: accounts.secrets }, db, {
    to: email,
    subject: "Hello",
    text: "a",
    html: "a",
  });
  await world.waitFor("the first conversation", async () => mailsTo(email).length === 1);
  const { rows } = await sql<{ data: object }>`
    select data from pgboss.job where name = 'mail' and state = 'active'`.execute(db);
  const data = rows[0]?.data ?? {};
  await lapseClaim("mail", data, 0);
  await world.waitFor("the second conversation", async () => mailsTo(email).length === 2);
  await lapseClaim("mail", data, 3600);
  for (const { accept } of mailsTo(email)) accept();
  await world.waitFor("the end", async () => (await statesOf("mail", data)).join() === "completed");
  const [first, second, ...others] = mailsTo(email);
  expect(others).toEqual([]);
  expect(first?.messageId).toMatch(/^<[0-9a-f-]{36}@localhost>$/);
  expect(second?.messageId).toBe(first?.messageId);
});

test("R3 an attempt that has lost its claim before it sends anything sends nothing and doesn't count", async () => {
  const { createJob, change, email, accountId } = await world.person();
  const jobId = await createJob({
    trigger: { url: `${world.hook.url}/hook`, method: "POST", body: "{}" },
  });
  const { id } = await change(jobId, "A paragraph that a stalled attempt would send.");
  await world.waitFor("the conversation", async () => mailsTo(email).length === 1);
  await world.waitFor("the trigger", async () => world.hook.received.length === 1);
  const { db } = world.app;
  const rows = await sql<{ delivery: string; run: string }>`
    update deliveries set state = 'waiting' from trigger_runs
    where deliveries.execution_id = ${id} and trigger_runs.execution_id = ${id} and deliveries.account_id = ${accountId}
    returning deliveries.id as delivery, trigger_runs.id as run`.execute(db);
  const { delivery = "", run = "" } = rows.rows[0] ?? {};
  await sql`update trigger_runs set state = 'waiting' where id = ${run}`.execute(db);
  const attempts = async () =>
    (await sql<{ attempts: number }>`select attempts from deliveries where id = ${delivery}`.execute(db))
      .rows;
  const before = await attempts();
  const stale: Attempt = { id: "00000000-0000-7000-8000-000000000000", retryCount: 0 };
  expect(await deliver(world.app.alerts, { deliveryId: delivery }, stale)).toBeUndefined();
  await expect(runTrigger(world.app.triggers, { runId: run }, stale)).rejects.toThrow("has lapsed");
  expect(await attempts()).toEqual(before);
  expect([mailsTo(email).length, world.hook.received.length]).toEqual([1, 1]);
});

test("R3 a trigger whose claim lapses while the receiver works is recorded and not fired again", async () => {
  const { createJob, change, detail } = await world.person();
  const jobId = await createJob({ trigger: { url: `${world.hook.url}/slow`, method: "POST", body: "{}" } });
  const release = Promise.withResolvers<void>();
  world.hook.next.push({ status: 200, until: release.promise });
  const { id } = await change(jobId, "A paragraph that a slow receiver takes.");
  const received = () => world.hook.received.filter(({ path }) => path === "/slow");
  await world.waitFor("the request", async () => received().length === 1);
  const run = await world.app.db
    .selectFrom("trigger_runs")
    .select("id")
    .where("execution_id", "=", id)
    .executeTakeFirstOrThrow();
  await lapseClaim("trigger", { runId: run.id }, 3600);
  release.resolve();
  await world.waitFor("the record", async () => (await detail(jobId, id)).triggerRuns[0]?.state === "sent");
  expect(await statesOf("trigger", { runId: run.id })).toEqual(["completed"]);
  await world.hurry();
  expect(received()).toHaveLength(1);
});
