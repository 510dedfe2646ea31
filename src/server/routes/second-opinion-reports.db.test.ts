import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { sharedOutside } from "#alerts/testing/outside.ts";
import { judgeAs, startModelServer } from "#second-opinion/testing/model-server.ts";

const [outside, model] = await Promise.all([sharedOutside(), startModelServer()]);
afterAll(() => model.close());

type Person = Awaited<ReturnType<typeof outside.person>>;

/** A report on the group as HTML. */
async function reportOf(person: Person): Promise<string> {
  const made = await person.call("POST", "/api/reports", { groupId: person.groupId });
  // The test's own limit ends it.
  for (;;) {
    const { status, raw } = await person.call("GET", `/api/reports/${String(made.body.id)}/html`);
    if (status === 200) return raw.toString();
    expect(status).toBe(409);
    await sleep(100);
  }
}

test("a report carries the model's sentence on each change and on all of them, by the same rules", async () => {
  const person = await outside.person();
  const endpoint = { url: `${model.url}/v1`, model: "llama", isOn: true, waitSeconds: 25 };
  expect((await person.call("PUT", "/api/second-opinion", endpoint)).status).toBe(200);
  const use = { secondOpinion: { use: "summary" } };
  for (const [name, text] of [
    ["Chairs", "Chairs of oak"],
    ["Prices", "Table of ash"],
  ] as const) {
    const jobId = await person.createJob({ ...use, name });
    model.state.reply = judgeAs("important", `The ${text} came.`);
    await person.deliveriesOf(jobId, (await person.change(jobId, text)).id);
  }
  const quiet = await person.createJob({ name: "Secret" });
  await person.deliveriesOf(quiet, (await person.change(quiet, "Not for the model")).id);

  model.asked.length = 0;
  model.state.reply = ({ blocks }) =>
    JSON.stringify({
      class: "routine",
      blocks: blocks.map(({ id }) => id),
      sentence: "Chairs has oak and Prices has a table.",
    });
  const report = await reportOf(person);
  expect(report).toContain("In the words of llama, unchecked: “Chairs has oak and Prices has a table.”");
  expect(report).toContain("In the words of llama, unchecked: “The Chairs of oak came.”");
  expect(report).toContain("In the words of llama, unchecked: “The Table of ash came.”");
  // A job that doesn't use the model isn't sent to it.
  expect(model.asked.map(({ blocks }) => blocks.map(({ text }) => text).sort())).toEqual([
    ["Chairs: Chairs of oak", "Prices: Table of ash"],
  ]);

  // An invented number, in a report of other changes: made as without a model.
  const jobId = await person.createJob({ ...use, name: "Lamps" });
  model.state.reply = () => "no answer";
  await person.deliveriesOf(jobId, (await person.change(jobId, "Lamps of tin")).id);
  model.state.reply = ({ blocks }) =>
    JSON.stringify({ class: "noise", blocks: blocks.map(({ id }) => id), sentence: "There are 42 chairs." });
  const second = await reportOf(person);
  expect(second).toContain("Lamps of tin");
  expect(second).not.toContain("42 chairs");
});
