import { parseDocument } from "htmlparser2";
import { beforeAll, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";

let outside: SharedOutside;
beforeAll(async () => {
  outside = await sharedOutside();
});

test("trigger runs of all jobs are listed, newest first, and can be replayed", async () => {
  const person = await outside.person();
  const trigger = { url: `${outside.hook.url}/flow`, method: "POST", body: '{"s":"{{severity}}"}' };
  const [firstJob, secondJob] = [
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
  const { id } = await person.change(firstJob, "First news");
  await outside.eventually("the sent run", async () => (await runs())[0]?.state === "sent");
  await person.change(secondJob, "Second news");
  await outside.eventually("the failed run", async () => (await runs())[0]?.state === "failed");
  expect(await runs()).toMatchObject([
    { job: "Other", state: "failed", status: 404, error: "The receiver answered 404.", replayable: true },
    { job: "One", state: "sent", status: 200, byHand: false, executionId: id },
  ]);
  outside.hook.received.length = 0;
  await person.call("POST", `/api/jobs/${firstJob}/executions/${id}/trigger`);
  expect(JSON.parse(String(outside.hook.received[0]?.body))).toEqual({
    s: expect.stringMatching(/^[a-z]+$/),
  });
  expect((await runs())[0]).toMatchObject({ job: "One", byHand: true, state: "sent" });
  await person.call("PATCH", `/api/jobs/${firstJob}`, { trigger: null });
  expect((await runs())[0]?.replayable).toBe(false);
  const stranger = await outside.person();
  expect((await stranger.call("GET", "/api/triggers/runs")).body).toEqual({ runs: [] });
});

test("a trigger body is encoded for its Content-Type, contains the matched strings and is always signed", async () => {
  const person = await outside.person();
  const headers = (value: string) => [{ name: "Content-Type", value }];
  const base = { url: `${outside.hook.url}/typed`, method: "POST" };
  const strings = ["bug bounty", "/sc[a-z]pe/", "not there"];
  const send = async (trigger: object, text: string) => {
    outside.hook.received.length = 0;
    const jobId = await person.createJob({ trigger: { ...base, strings, ...trigger } });
    await person.change(jobId, text);
    return outside.eventually("the request", async () => outside.hook.received[0]);
  };
  const form = await send(
    {
      headers: headers("application/x-www-form-urlencoded"),
      body: "m={{matched}}&s={{severity}}&t={{added}}",
    },
    "The Bug Bounty scope is wider & wilder",
  );
  expect(form.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(Object.fromEntries(new URLSearchParams(String(form.body)))).toEqual({
    m: "bug bounty\n/sc[a-z]pe/",
    s: expect.stringMatching(/^[a-z]+$/),
    t: expect.stringContaining("wider & wilder"),
  });
  expect(form.headers["webhook-signature"]).toMatch(/^v1,/);
  const text = await send(
    { headers: headers("text/plain"), body: 'Found "{{matched}}" \\ {{summary}}' },
    "Another bug bounty",
  );
  expect(String(text.body)).toMatch(/^Found "bug bounty" \\ /);
  const xml = await send(
    { headers: headers("application/soap+xml"), body: '<e t="{{severity}}">{{added}}</e>' },
    "Scope: &lt;/e&gt;&lt;admin&gt;&quot;bug bounty&quot; &amp; more",
  );
  expect(String(xml.body)).toMatch(/^<e t="[a-z]+">[^<>"]+<\/e>$/);
  expect(parseDocument(String(xml.body), { xmlMode: true }).children).toMatchObject([
    { name: "e", children: [{ data: expect.stringContaining('Scope: </e><admin>"bug bounty" & more') }] },
  ]);
  for (const name of ["nonsense", "value.constructor", "value.price"]) {
    const { status, body } = await person.call("POST", "/api/triggers/test", {
      trigger: { ...base, headers: headers("text/xml"), body: `<a>{{${name}}}</a>` },
    });
    expect([name, status, body.field]).toEqual([name, 400, "trigger.body"]);
  }
  const tried = await person.call("POST", "/api/triggers/test", {
    trigger: { ...base, headers: headers("text/plain"), body: "{{value.price}}" },
    values: ["price"],
  });
  expect(tried.status).toBe(200);
});
