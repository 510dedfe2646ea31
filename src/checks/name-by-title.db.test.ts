import { expect, test } from "vitest";
import { sharedEngine } from "./testing/engine.ts";
import { html } from "./testing/page.ts";

const engine = await sharedEngine();
const titled = (title: string) => ({ html: html("Hello"), title });

async function nameOf(person: Awaited<ReturnType<typeof engine.person>>, id: string) {
  const { body } = await person.call("GET", `/api/jobs/${id}`);
  return body.name;
}
const isNamed = async (id: string) => {
  const row = await engine.app.db
    .selectFrom("jobs")
    .select("awaits_title")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return !row.awaits_title;
};

test("a job without a name is named by the page's title", async () => {
  const person = await engine.person();
  const go = engine.site.pause();
  Object.assign(engine.site.page, titled("  The shop\n of the year "));
  const created = await person.call("POST", "/api/jobs/create", {
    url: "http://127.0.0.1:8080/first",
    frequency: 60,
    groupId: person.groupId,
  });
  expect(created.body).toMatchObject({ job: { name: "127.0.0.1:8080/first" } });
  const id = (created.body.job as unknown as { id: string }).id;
  go();
  await engine.waitFor("the name", () => isNamed(id));
  expect(await nameOf(person, id)).toBe("The shop of the year");
  const again = await person.createJob({ name: " ", url: "http://127.0.0.1:8080/second" });
  await engine.waitFor("the second name", () => isNamed(again));
  expect(await nameOf(person, again)).toBe("The shop of the year (127.0.0.1:8080/second)");
});

test("a failed check or an error page names nothing; the first good capture does, and no later one", async () => {
  const person = await engine.person();
  Object.assign(engine.site.page, titled("Not found"), { status: 404 });
  const id = await person.createJob({ name: "", url: "http://127.0.0.1:8080/late" });
  await person.execution(id, 1);
  expect(await isNamed(id)).toBe(false);
  Object.assign(engine.site.page, titled("The real page"), { status: 200 });
  await person.run(id);
  await engine.waitFor("the name", () => isNamed(id));
  expect(await nameOf(person, id)).toBe("The real page");
  Object.assign(engine.site.page, titled("Another title"));
  await person.run(id);
  expect(await nameOf(person, id)).toBe("The real page");
});

test("a name that the user gave meanwhile stays, and a page without a title keeps its URL", async () => {
  const person = await engine.person();
  const go = engine.site.pause();
  Object.assign(engine.site.page, titled("The title"));
  const id = await person.createJob({ name: "", url: "http://127.0.0.1:8080/mine" });
  await person.call("PATCH", `/api/jobs/${id}`, { name: "Mine" });
  go();
  await person.execution(id, 1);
  expect(await nameOf(person, id)).toBe("Mine");
  Object.assign(engine.site.page, titled("\u200b"));
  const other = await person.createJob({ name: "", url: "http://127.0.0.1:8080/none" });
  await engine.waitFor("the end of waiting", () => isNamed(other));
  expect(await nameOf(person, other)).toBe("127.0.0.1:8080/none");
});
