import { sql } from "kysely";
import { expect, test } from "vitest";
import { until } from "#channels/testing/listen.ts";
import { insertDelivery } from "#storage/deliveries.ts";
import { insertNotification } from "#storage/notifications.ts";
import { startTestApp } from "../testing/test-app.ts";
import { startDuties } from "./start-duties.ts";

test("housekeeping deletes notifications older than the plan's retention, with their deliveries", async () => {
  const product = await startTestApp();
  const { app, call, signUp } = product;
  try {
    const addNotification = async (accountId: string, daysAgo: number) => {
      const id = await insertNotification(app.db, {
        account_id: accountId,
        kind: "change",
        job_id: null,
        execution_id: null,
        severity: "notice",
        title: `${daysAgo} days ago`,
        message: "",
      });
      await sql`update notifications set created_at = now() - make_interval(days => ${daysAgo}) where id = ${id}`.execute(
        app.db,
      );
      const notification = { id, account_id: accountId, execution_id: null };
      await insertDelivery(app.db, { notification, channel: "email", insteadOf: null, state: "waiting" });
    };
    const addPerson = async (plan: "basic" | "ultimate") => {
      const { token, email } = await signUp();
      await app.db.updateTable("accounts").set({ plan_id: plan }).where("email", "=", email).execute();
      const me = await call("GET", "/api/me", undefined, { token });
      const id = String(me.body.id);
      for (const days of [1, 40, 400]) await addNotification(id, days);
      const titles = async () => {
        const feed = await call("GET", "/api/notifications", undefined, { token });
        return (feed.body.notifications as unknown as { title: string }[]).map(({ title }) => title);
      };
      return { id, titles };
    };
    const [basic, ultimate] = [await addPerson("basic"), await addPerson("ultimate")];
    const duties = await startDuties(app, ({ name }) => name === "housekeeping");
    await until(
      "removal",
      async () => (await basic.titles()).length === 1 && (await ultimate.titles()).length === 2,
    );
    await duties.end();
    expect(await basic.titles()).toEqual(["1 days ago"]);
    expect((await ultimate.titles()).sort()).toEqual(["1 days ago", "40 days ago"]);
    const deliveries = await app.db.selectFrom("deliveries").select("account_id").execute();
    expect(deliveries.filter(({ account_id }) => account_id === basic.id)).toHaveLength(1);
    expect(deliveries.filter(({ account_id }) => account_id === ultimate.id)).toHaveLength(2);
  } finally {
    await product.close();
  }
});
