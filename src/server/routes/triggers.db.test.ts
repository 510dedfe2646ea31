import { afterAll, beforeAll, expect, test } from "vitest";
import { startOutside } from "#alerts/testing/outside.ts";

let outside: Awaited<ReturnType<typeof startOutside>>;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

test("what became of triggers is listed over all jobs, newest first, and replayed", async () => {
  const person = await outside.person();
  const trigger = { url: `${outside.hook.url}/flow`, method: "POST", body: '{"s":"{{severity}}"}' };
  const [one, other] = [
    await person.createJob({ name: "One", trigger }),
    await person.createJob({ name: "Other", trigger: { ...trigger, url: `${outside.hook.url}/gone` } }),
  ];
  const runs = async () =>
    (await person.call("GET", "/api/triggers/runs")).body.runs as unknown as {
      job: string;
      state: string;
      status: number | null;
      byHand: boolean;
      executionId: string;
      replayable: boolean;
      error: string | null;
    }[];
  expect(await runs()).toEqual([]);
  const { id } = await person.change(one, "First news");
  await outside.eventually("the run", async () => (await runs())[0]?.state === "sent");
  outside.hook.next.push({ status: 404 });
  await person.change(other, "Second news");
  await outside.eventually("the other", async () => (await runs())[0]?.state === "failed");
  expect(await runs()).toMatchObject([
    { job: "Other", state: "failed", status: 404, error: "The receiver answered 404.", replayable: true },
    { job: "One", state: "sent", status: 200, byHand: false, executionId: id },
  ]);
  outside.hook.received.length = 0;
  await person.call("POST", `/api/jobs/${one}/executions/${id}/trigger`);
  expect(JSON.parse(String(outside.hook.received[0]?.body))).toEqual({
    s: expect.stringMatching(/^[a-z]+$/),
  });
  expect((await runs())[0]).toMatchObject({ job: "One", byHand: true, state: "sent" });
  await person.call("PATCH", `/api/jobs/${one}`, { trigger: null });
  expect((await runs())[0]?.replayable).toBe(false);
  const stranger = await outside.person();
  expect((await stranger.call("GET", "/api/triggers/runs")).body).toEqual({ runs: [] });
});
