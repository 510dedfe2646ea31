import { sql } from "kysely";
import { expect, test } from "vitest";
import { openQueue } from "#queue/queue.ts";
import { openDatabase } from "#storage/database.ts";
import { createSecretBox } from "#storage/encryption/secret-box.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { sendMail } from "./send-mail.ts";

test("N1 beyond 30 mails of a kind within an hour, mails wait until the hour is over and aren't dropped", async () => {
  const copy = await copyDatabase();
  const { db, close } = openDatabase(copy.connectionString);
  const queue = await openQueue(copy.connectionString, { pollSeconds: 3600, supervise: false });
  const deps = { queue, secrets: createSecretBox(["fedcba9876543210fedcba9876543210"]) };
  const mail = { to: "ana@example.com", text: "", html: "" };
  for (let i = 0; i < 31; i++) await sendMail(deps, db, { ...mail, subject: "Your password was changed" });
  await sendMail(deps, db, { ...mail, subject: "Your bill" });
  const { rows } = await sql<{ late: boolean; count: number }>`
    select start_after > now() + interval '50 minutes' as late, count(*) from pgboss.job where name = 'mail'
    group by 1 order by 1`.execute(db);
  expect(rows).toEqual([
    { late: false, count: 31 },
    { late: true, count: 1 },
  ]);
  await queue.close();
  await close();
  await copy.drop();
});
