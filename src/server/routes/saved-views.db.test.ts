import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { maxSavedViews } from "#contract/saved-view.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;
type View = { id: string; name: string; query: string };

const put = (person: Person, name: string, query = "q=beta&sort=name") =>
  person.call("PUT", "/api/me/views", { name, query });
const list = async (person: Person) =>
  (await person.call("GET", "/api/me/views")).body.views as unknown as View[];

test("a view is saved in the account, replaced under the same name, listed by name and deleted", async () => {
  const person = await engine.person();
  expect((await put(person, "  Failing shops ", "failing=1")).body).toEqual({
    code: "VIEW_SAVED",
    message: "The view “Failing shops” is saved.",
  });
  await put(person, "Critical", "severity=critical");
  await put(person, "Failing shops", "failing=1&tag=shop");
  const views = await list(person);
  expect(views.map(({ name, query }) => [name, query])).toEqual([
    ["Critical", "severity=critical"],
    ["Failing shops", "failing=1&tag=shop"],
  ]);
  expect((await person.call("DELETE", `/api/me/views/${views[0]?.id}`)).status).toBe(200);
  expect(await list(person)).toHaveLength(1);
});

test("Z2 nobody else sees or deletes a view", async () => {
  const [owner, stranger] = await Promise.all([engine.person(), engine.person()]);
  await put(owner, "Mine");
  const [view] = await list(owner);
  expect(await list(stranger)).toEqual([]);
  const answer = await stranger.call("DELETE", `/api/me/views/${view?.id}`);
  expect([answer.status, answer.body.message]).toEqual([404, "This view no longer exists."]);
  expect(await list(owner)).toHaveLength(1);
});

test("an account keeps a limited number of views, also when they are saved at once; each can be replaced", async () => {
  const person = await engine.person();
  const names = Array.from({ length: maxSavedViews + 5 }, (_, i) => `View ${i}`);
  const answers = await Promise.all(names.map((name) => put(person, name)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(maxSavedViews);
  const refused = answers.find(({ status }) => status !== 200);
  expect([refused?.status, refused?.body.message]).toEqual([
    409,
    "You have 50 saved views. Delete one to save another.",
  ]);
  const [view] = await list(person);
  expect((await put(person, view?.name ?? "", "status=PAUSED")).status).toBe(200);
});

test.for<[string, object, string, string]>([
  ["no name", { name: "  ", query: "q=a" }, "name", "Enter a name."],
  ["a long name", { name: "x".repeat(61), query: "q=a" }, "name", "The name is longer than 60 characters."],
  ["no filter", { name: "All", query: "" }, "query", "A view needs a search, a filter or a sorting."],
  [
    "a long filter",
    { name: "Long", query: "x".repeat(1_001) },
    "query",
    "The view is longer than 1,000 characters.",
  ],
])("a view with %s is refused", async ([, body, field, message]) => {
  const person = await engine.person();
  const answer = await person.call("PUT", "/api/me/views", body);
  expect([answer.status, answer.body.field, answer.body.message]).toEqual([400, field, message]);
});
