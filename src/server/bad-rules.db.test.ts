import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

// Runs rules that are too many, too long or too slow through the whole product: none of them may stop a job.

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

/** Creates a job on the first page and returns the execution of its second check, which sees the second page. */
async function watch(settings: object, pages: [before: string, after: string]) {
  const person = await engine.person();
  engine.site.page.html = pages[0];
  const id = await person.createJob(settings);
  await person.execution(id, 1);
  engine.site.page.html = pages[1];
  return { person, id, execution: await person.run(id) };
}

// The cost grows with the page's size, so only the long test run uses the full size.
const isLong = process.env.TEST_SIZE === "long";
const elements = isLong ? 10_000 : 2_000;
const lineLength = isLong ? 2_000_000 : 200_000;

const pageWithManyElements = (word: string) =>
  `<!doctype html><title>A page</title><main>${story.map((line) => `<p>${line}</p>`).join("")}${`<i>${word}</i> `.repeat(elements)}</main>`;

test("fifty ignore rules of every kind all take effect on one job", async () => {
  const ignore = Array.from({ length: 50 }, (_, i) =>
    [`.ad-${i}`, `xpath://*[@class='ad-${i}']`, `word${i}`, `/Count ${i}: \\d+/`, `#id-${i}`].at(i % 5),
  );
  const page = (n: number) =>
    html(
      ...story,
      ...ignore.map((_, i) => `<span class="ad-${i}" id="id-${i}">word${i} Count ${i}: ${n}</span>`),
    );
  const { person, id, execution } = await watch({ ignore }, [page(1), page(2)]);
  expect(execution).toMatchObject({ changed: false, error: null });
  const { body } = await person.call("POST", `/api/jobs/${id}/rules/cover`, { ignore });
  expect(body.ignore).toHaveLength(50);
  expect(JSON.stringify(body.ignore)).not.toMatch(/problem|"count":0/);
  const ruleTest = await person.call("POST", `/api/jobs/${id}/rules/try`, { ignore: [] });
  expect(ruleTest.raw.toString()).toContain('"now":{"alerts":1,');
});

test("a pattern of 10 kB is refused at its field when it is saved, tested on history or being typed", async () => {
  const { person, id } = await watch({}, [html(...story), html(...story)]);
  const ignore = ["fine", `/${"a|".repeat(5_000)}b/`];
  const refusal = {
    status: 400,
    body: { field: "ignore.1", message: "A rule is at most 1,000 characters." },
  };
  expect(await person.call("PATCH", `/api/jobs/${id}`, { ignore })).toMatchObject(refusal);
  expect(await person.call("POST", `/api/jobs/${id}/rules/try`, { ignore })).toMatchObject(refusal);
  expect((await person.call("POST", `/api/jobs/${id}/rules/cover`, { ignore })).body.ignore).toEqual([
    expect.objectContaining({ what: "line" }),
    { problem: "A rule is at most 1,000 characters." },
  ]);
});

test("a value that is read too slowly is a problem of its own in the rule preview", async () => {
  const { person, id } = await watch({}, [pageWithManyElements("one"), pageWithManyElements("two")]);
  const slow = "xpath://*[count(for $i in 1 to 10000000000 return $i) = 0]";
  const { status, body } = await person.call("POST", `/api/jobs/${id}/rules/cover`, {
    values: [slow, "i"].map((rule) => ({ by: "selector", rule })),
  });
  expect({ status, values: body.values }).toEqual({
    status: 200,
    values: [
      { problem: expect.stringContaining("takes more than half a second of processor time") },
      { problem: "Not tested: the rules before it take too long on this page." },
    ],
  });
});

test("lines of a selector beyond its length are refused while it is typed", async () => {
  const { person, id } = await watch({}, [html(...story), html(...story)]);
  const selector = Array(600).fill("p").join("\n");
  const { body } = await person.call("POST", `/api/jobs/${id}/rules/cover`, { selector });
  const lines = body.selector as unknown as { count?: number; problem?: string }[];
  expect(lines).toHaveLength(600);
  expect(lines.filter(({ count }) => count === story.length)).toHaveLength(500);
  expect(lines.at(500)).toEqual({ problem: "A rule is at most 1,000 characters." });
});

test("selectors that match thousands of elements work in checks and in the rule preview", async () => {
  const ignored = await watch({ ignore: ["i"] }, [pageWithManyElements("one"), pageWithManyElements("two")]);
  expect(ignored.execution).toMatchObject({ changed: false, error: null });
  const only = await watch({ selector: "i" }, [pageWithManyElements("one"), pageWithManyElements("two")]);
  expect(only.execution).toMatchObject({ changed: true, error: null });
  const { body } = await only.person.call("POST", `/api/jobs/${only.id}/rules/cover`, {
    selector: "i\nxpath://i\n* *",
  });
  expect(body.selector).toMatchObject([
    { count: elements },
    { count: elements },
    { count: expect.any(Number) },
  ]);
});

test("a replaced page is a change for a whole-page job and a failed check for a job with a selector", async () => {
  const pages: [string, string] = [
    html(...story, '<b id="price">5</b>'),
    html("Quite another site stands at this address now, and nothing of the one before is left on it."),
  ];
  const whole = await watch({ ignore: [".ad", "/\\d+ views/"] }, pages);
  expect(whole.execution).toMatchObject({ changed: true, error: null });
  const part = await watch({ selector: "#price" }, pages);
  expect(part.execution).toMatchObject({
    changed: false,
    error: "Nothing on the page matches the selector #price",
  });
  const ruleTest = await part.person.call("POST", `/api/jobs/${part.id}/rules/try`, { selector: null });
  expect(ruleTest.raw.toString()).toContain('"was":{"alerts":0,"digests":0,"failed":1},"now":{"alerts":1,');
});

test("(a+)+$ on a very long line stops neither a check nor the rule preview", async () => {
  engine.site.page.kind = "text";
  const line = "a".repeat(lineLength);
  const { person, id, execution } = await watch({ ignore: ["/(a+)+$/"] }, [`${line}b\n1`, `${line}b\n2`]);
  engine.site.page.kind = "html";
  expect(execution).toMatchObject({ changed: true, error: null });
  const { body } = await person.call("POST", `/api/jobs/${id}/rules/cover`, { ignore: ["/(a+)+$/"] });
  expect(body.ignore).toHaveLength(1);
});
