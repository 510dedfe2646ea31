import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

// Rules that are too many, too long or too slow, through the product: none of them stops a job.

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

/** A job on a page, and what its second check finds on another. */
async function watch(settings: object, pages: [before: string, after: string]) {
  const person = await engine.person();
  engine.site.page.html = pages[0];
  const id = await person.createJob(settings);
  await person.execution(id, 1);
  engine.site.page.html = pages[1];
  return { person, id, found: await person.run(id) };
}

// All grows with the page, and so does what it costs: the long set has the full size.
const isLong = process.env.TEST_SIZE === "long";
const elements = isLong ? 10_000 : 2_000;
const lineLength = isLong ? 2_000_000 : 200_000;

const many = (word: string) =>
  `<!doctype html><title>A page</title><main>${story.map((line) => `<p>${line}</p>`).join("")}${`<i>${word}</i> `.repeat(elements)}</main>`;

test("fifty rules of every kind, all of which hold", async () => {
  const ignore = Array.from({ length: 50 }, (_, i) =>
    [`.ad-${i}`, `xpath://*[@class='ad-${i}']`, `word${i}`, `/Count ${i}: \\d+/`, `#id-${i}`].at(i % 5),
  );
  const page = (n: number) =>
    html(
      ...story,
      ...ignore.map((_, i) => `<span class="ad-${i}" id="id-${i}">word${i} Count ${i}: ${n}</span>`),
    );
  const { person, id, found } = await watch({ ignore }, [page(1), page(2)]);
  expect(found).toMatchObject({ changed: false, error: null });
  const { body } = await person.call("POST", `/api/jobs/${id}/rules/cover`, { ignore });
  expect(body.ignore).toHaveLength(50);
  expect(JSON.stringify(body.ignore)).not.toMatch(/problem|"count":0/);
  const tried = await person.call("POST", `/api/jobs/${id}/rules/try`, { ignore: [] });
  expect(tried.raw.toString()).toContain('"now":{"alerts":1,');
});

test("a pattern of 10 kB is refused at its field, and while it is typed", async () => {
  const { person, id } = await watch({}, [html(...story), html(...story)]);
  const ignore = ["fine", `/${"a|".repeat(5_000)}b/`];
  const refused = {
    status: 400,
    body: { field: "ignore.1", message: "A rule is at most 1,000 characters." },
  };
  expect(await person.call("PATCH", `/api/jobs/${id}`, { ignore })).toMatchObject(refused);
  expect(await person.call("POST", `/api/jobs/${id}/rules/try`, { ignore })).toMatchObject(refused);
  expect((await person.call("POST", `/api/jobs/${id}/rules/cover`, { ignore })).body.ignore).toEqual([
    expect.objectContaining({ what: "line" }),
    { problem: "A rule is at most 1,000 characters." },
  ]);
});

test("selectors that match thousands of elements", async () => {
  const ignored = await watch({ ignore: ["i"] }, [many("one"), many("two")]);
  expect(ignored.found).toMatchObject({ changed: false, error: null });
  const only = await watch({ selector: "i" }, [many("one"), many("two")]);
  expect(only.found).toMatchObject({ changed: true, error: null });
  const { body } = await only.person.call("POST", `/api/jobs/${only.id}/rules/cover`, {
    selector: "i\nxpath://i\n* *",
  });
  expect(body.selector).toMatchObject([
    { count: elements },
    { count: elements },
    { count: expect.any(Number) },
  ]);
});

test("a page that changed beyond recognition: told where all counts, a failed check where a part does", async () => {
  const pages: [string, string] = [
    html(...story, '<b id="price">5</b>'),
    html("Quite another site stands at this address now, and nothing of the one before is left on it."),
  ];
  const whole = await watch({ ignore: [".ad", "/\\d+ views/"] }, pages);
  expect(whole.found).toMatchObject({ changed: true, error: null });
  const part = await watch({ selector: "#price" }, pages);
  expect(part.found).toMatchObject({
    changed: false,
    error: "Nothing on the page matches the selector #price",
  });
  const tried = await part.person.call("POST", `/api/jobs/${part.id}/rules/try`, { selector: null });
  expect(tried.raw.toString()).toContain('"was":{"alerts":0,"digests":0,"failed":1},"now":{"alerts":1,');
});

test("(a+)+$ against a line without end neither stops a check nor a trial", {
  timeout: 120_000,
}, async () => {
  engine.site.page.kind = "text";
  const line = "a".repeat(lineLength);
  const { person, id, found } = await watch({ ignore: ["/(a+)+$/"] }, [`${line}b\n1`, `${line}b\n2`]);
  engine.site.page.kind = "html";
  expect(found).toMatchObject({ changed: true, error: null });
  const { body } = await person.call("POST", `/api/jobs/${id}/rules/cover`, { ignore: ["/(a+)+$/"] });
  expect(body.ignore).toHaveLength(1);
});
