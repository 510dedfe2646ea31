import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { hasValidSignature } from "#channels/testing/hook-server.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => {
  world.hook.next.length = 0;
  world.hook.received.length = 0;
});

const trigger = () => ({
  url: `${world.hook.url}/hook`,
  method: "POST",
  body: '{"event": "{{event.id}}", "name": "{{job.name}}", "summary": "{{summary}}", "added": "{{added}}", "before": {{status.before}}}',
});

describe("N3 the trigger", () => {
  test("succeeds at the third attempt after two failures, with one event id and each attempt signed", async () => {
    const { createJob, change, detail, call, logsOf } = await world.person();
    const { body } = await call("POST", "/api/me/signing-secret");
    const jobId = await createJob({ trigger: trigger() });
    world.hook.next.push({ status: 500 }, "drop", { status: 200 });
    const { id } = await change(jobId, "A paragraph that the hook takes late.");
    const run = await world.eventually("the run", async () => {
      const { triggerRuns } = await detail(jobId, id);
      return triggerRuns[0]?.state === "sent" && triggerRuns[0];
    });
    await world.hurry();
    expect([run.attempts, world.hook.received.length]).toEqual([3, 3]);
    expect(new Set(world.hook.received.map(({ headers }) => headers["x-watchglass-event"]))).toEqual(
      new Set([run.eventId]),
    );
    expect(world.hook.received.map(({ headers }) => headers["x-watchglass-attempt"])).toEqual([
      "1",
      "2",
      "3",
    ]);
    const secret = String(body.secret);
    for (const request of world.hook.received) {
      expect(hasValidSignature(request, secret)).toBe(true);
      const headers = request.headers as Record<string, string>;
      expect(() => new Webhook(secret).verify(request.body.toString(), headers)).not.toThrow();
    }
    expect(await logsOf(jobId)).toContain("[info] Trigger answered 200 at attempt 3");
  });

  test("R4 is given up after five failures, which is logged, and notified once for as long as it fails", async () => {
    const { createJob, change, detail, feed, logsOf } = await world.person();
    const jobId = await createJob({ trigger: trigger() });
    const waitForFailure = (executionId: string) =>
      world.eventually("the dead letter", async () => {
        const { triggerRuns } = await detail(jobId, executionId);
        return triggerRuns[0]?.state === "failed" && triggerRuns[0];
      });
    world.hook.next.push(...Array.from({ length: 5 }, () => ({ status: 503 })));
    const first = await change(jobId, "A paragraph that the hook never takes.");
    expect(await waitForFailure(first.id)).toMatchObject({
      attempts: 5,
      error: "The receiver answered 503.",
      response: { status: 503 },
    });
    expect(world.hook.received.length).toBe(5);
    expect(await logsOf(jobId)).toContain(
      "[error] Trigger given up after 5 of 5 attempts: The receiver answered 503.",
    );
    world.hook.next.push({ status: 400 });
    const second = await change(jobId, "Another paragraph that the hook never takes.");
    expect(await waitForFailure(second.id)).toMatchObject({
      attempts: 1,
      error: "The receiver answered 400.",
    });
    expect((await feed()).filter(({ kind }) => kind === "delivery-failed")).toMatchObject([
      { title: "Job 1", message: "The HTTP trigger was given up: The receiver answered 503." },
    ]);
  });

  test("fires only if the new content contains one of its strings", async () => {
    const { createJob, change, detail, deliveriesOf, logsOf } = await world.person();
    const jobId = await createJob({ trigger: { ...trigger(), strings: ["bug bounty", "SCOPE"] } });
    const unmatched = await change(jobId, "A paragraph about glass and nothing else.");
    await deliveriesOf(jobId, unmatched.id);
    expect((await detail(jobId, unmatched.id)).triggerRuns).toEqual([]);
    expect(await logsOf(jobId)).toContain(
      "[info] Trigger not fired: none of its strings is in the new content",
    );
    const matched = await change(jobId, "A paragraph about a new scope of the programme.");
    await world.eventually(
      "the run",
      async () => (await detail(jobId, matched.id)).triggerRuns[0]?.state === "sent",
    );
    expect(world.hook.received.length).toBe(1);
  });

  test("fires again on request with a new event id, and header values stay masked", async () => {
    const { createJob, change, detail, call } = await world.person();
    const jobId = await createJob({
      trigger: { ...trigger(), headers: [{ name: "X-Key", value: "MARKED-SECRET-1" }] },
    });
    const { id } = await change(jobId, "A paragraph that is sent twice by hand.");
    await world.eventually("the run", async () => (await detail(jobId, id)).triggerRuns[0]?.state === "sent");
    const again = await call("POST", `/api/jobs/${jobId}/executions/${id}/trigger`);
    expect(again.body).toMatchObject({ byHand: true, state: "sent", attempts: 1, response: { status: 200 } });
    const { triggerRuns } = await detail(jobId, id);
    expect(triggerRuns.map(({ byHand }) => byHand)).toEqual([true, false]);
    expect(new Set(triggerRuns.map(({ eventId }) => eventId)).size).toBe(2);
    expect(world.hook.received.map(({ headers }) => headers["x-key"])).toEqual([
      "MARKED-SECRET-1",
      "MARKED-SECRET-1",
    ]);
    expect(JSON.stringify(triggerRuns)).not.toContain("MARKED-SECRET-1");
    const rows = await world.app.db
      .selectFrom("trigger_runs")
      .selectAll()
      .where("job_id", "=", jobId)
      .execute();
    expect(JSON.stringify(rows)).not.toContain("MARKED-SECRET-1");
  });

  test("is tested with example values, and with the stored value of a masked header", async () => {
    const { createJob, call } = await world.person();
    const headers = [{ name: "X-Key", value: "MARKED-SECRET-2" }];
    const jobId = await createJob({ trigger: { ...trigger(), headers } });
    const job = await call("GET", `/api/jobs/${jobId}`);
    const tested = await call("POST", "/api/triggers/test", { jobId, trigger: job.body.trigger });
    expect(tested.body).toMatchObject({ error: null, response: { status: 200 } });
    expect(world.hook.received[0]?.headers["x-key"]).toBe("MARKED-SECRET-2");
    expect(JSON.stringify(tested.body)).not.toContain("MARKED-SECRET-2");
    world.hook.next.push({ status: 500, body: "no" });
    const failed = await call("POST", "/api/triggers/test", { trigger: trigger() });
    expect(failed.body).toMatchObject({
      error: "The receiver answered 500.",
      response: { status: 500, body: "no" },
    });
  });

  test.each([
    [
      "a private address",
      { url: "http://10.0.0.1/" },
      "TARGET_NOT_ALLOWED",
      /^The trigger's URL is refused\. This address may not be requested/,
    ],
    [
      "a host from a placeholder",
      { url: "http://{{job.name}}/" },
      "INVALID_INPUT",
      /^The trigger's host may not contain a placeholder\.$/,
    ],
    [
      "a body that is not JSON",
      { body: "{nonsense" },
      "INVALID_INPUT",
      /^The trigger's body is not JSON once its placeholders are filled in\.$/,
    ],
    [
      "a body over 64 KiB",
      { body: `"${"x".repeat(64 * 1024)}"` },
      "INVALID_INPUT",
      /^The trigger's body is larger than 64 KiB\.$/,
    ],
    [
      "a header that controls the connection",
      { headers: [{ name: "Host", value: "x" }] },
      "INVALID_INPUT",
      /^These headers may not be sent/,
    ],
  ])("with %s is refused, and the error names the field", async (_, bad, code, message) => {
    const { createJob, call } = await world.person();
    const jobId = await createJob();
    const answer = await call("PATCH", `/api/jobs/${jobId}`, { trigger: { ...trigger(), ...bad } });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.field).toBe(`trigger.${Object.keys(bad)[0]}`);
    expect(answer.body.message).toMatch(message);
  });
});

describe("text lookup", () => {
  test("alerts when a string appears where no other change would be alerted, with its line", async () => {
    const { createJob, run, deliveriesOf, alerts } = await world.person();
    const jobId = await createJob({ lookup: { strings: ["secret-beta"], when: "appears" } });
    world.site.page.html = world.site.page.html.replace("</main>", "</main><!-- build secret-beta 7 -->");
    const found = await run(jobId);
    expect(found).toMatchObject({
      changed: true,
      severity: "important",
      summary: expect.stringContaining('"secret-beta" appeared in the HTML'),
    });
    await deliveriesOf(jobId, found.id);
    expect((await alerts())[0]?.text).toContain("<!-- build secret-beta 7 -->");
    expect(await run(jobId)).toMatchObject({ changed: false });
  });

  test("isn't done for an account whose plan no longer includes it", async () => {
    const { createJob, run, accountId } = await world.person();
    const jobId = await createJob({ lookup: { strings: ["secret-beta"], when: "appears" } });
    await world.app.db
      .updateTable("accounts")
      .set({ plan_id: "basic" })
      .where("id", "=", accountId)
      .execute();
    world.site.page.html = world.site.page.html.replace("</main>", "</main><!-- build secret-beta 7 -->");
    expect((await run(jobId)).summary).not.toContain("secret-beta");
  });
});

describe("plan rules", () => {
  test("the Basic plan allows one trigger, no text lookup, no Discord and no Telegram", async () => {
    const { createJob, call, chat, botToken } = await world.person({ plan: "basic" });
    const jobId = await createJob({ trigger: trigger() });
    const second = await createJob();
    const readRefusal = async (answer: ReturnType<typeof call>) => {
      const { status, body } = await answer;
      return [status, body.code, body.message];
    };
    expect(await readRefusal(call("PATCH", `/api/jobs/${second}`, { trigger: trigger() }))).toEqual([
      403,
      "PLAN_LIMIT_REACHED",
      "The Basic plan allows 1 HTTP trigger. The Professional plan allows one on any job.",
    ]);
    expect(
      await readRefusal(call("PATCH", `/api/jobs/${jobId}`, { lookup: { strings: ["x"], when: "appears" } })),
    ).toEqual([
      403,
      "PLAN_LIMIT_REACHED",
      "The Basic plan allows no text lookup. The Professional plan allows it.",
    ]);
    const discord = "The Basic plan allows no Discord alerts. The Professional plan allows them.";
    expect(
      await readRefusal(call("PUT", "/api/me/channels/discord", { url: world.discord.webhook })),
    ).toEqual([403, "PLAN_LIMIT_REACHED", discord]);
    expect(await readRefusal(call("POST", "/api/me/channels/discord/test"))).toEqual([
      403,
      "PLAN_LIMIT_REACHED",
      discord,
    ]);
    const token = await botToken();
    await world.telegram.say(chat, `/addtoken ${token}`);
    expect((await world.telegram.message(chat)).text).toBe(
      "The Basic plan allows no Telegram alerts. The Professional plan allows them.",
    );
    expect((await call("GET", "/api/me/channels")).body).toMatchObject({
      telegram: { included: false, chat: null },
    });
  });

  test("after a downgrade only mail and the oldest trigger keep working", async () => {
    const { createJob, change, deliveriesOf, detail, accountId, logsOf } = await world.person({
      telegram: true,
      discord: true,
    });
    const first = await createJob({ trigger: trigger() });
    const second = await createJob({ trigger: trigger() });
    await world.app.db
      .updateTable("accounts")
      .set({ plan_id: "basic" })
      .where("id", "=", accountId)
      .execute();
    const one = await change(first, "A paragraph after the downgrade, first job.");
    expect((await deliveriesOf(first, one.id)).map(({ channel }) => channel)).toEqual(["email"]);
    const two = await change(second, "A paragraph after the downgrade, second job.");
    await deliveriesOf(second, two.id);
    await world.eventually(
      "the run",
      async () => (await detail(first, one.id)).triggerRuns[0]?.state === "sent",
    );
    expect((await detail(second, two.id)).triggerRuns).toEqual([]);
    expect(await logsOf(second)).toContain("[info] Trigger not fired: the Basic plan allows 1");
  });
});
