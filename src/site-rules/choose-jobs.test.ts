import { expect, test } from "vitest";
import { templateOf } from "#detection/site-pages/page-address.ts";
import { chooseJobs } from "./choose-jobs.ts";
import { nameOfPage } from "./rule-input.ts";

const page = (path: string, day = 1) => {
  const address = `https://shop.example${path}`;
  return {
    identity: `shop.example${path}`,
    address,
    title: `Page ${path}`,
    template: templateOf(address),
    firstSeen: new Date(Date.UTC(2026, 0, day)),
  };
};
const pages = [
  page("/"),
  ...Array.from({ length: 10 }, (_, n) => page(`/item/${n}`, 10 - n)),
  page("/docs/a"),
  page("/docs/b"),
];
const rule = { by: "pattern" as const, value: "/item/", maxJobs: 4, sample: "first" as const };
const made = (path: string, jobId: string | null = path, isRetired = false) => ({
  identity: `shop.example${path}`,
  jobId,
  isRetired,
});
const paths = (list: { identity: string }[]) =>
  list.map(({ identity }) => identity.replace("shop.example", ""));

test.for<[sample: "first" | "newest" | "spread", chosen: string[]]>([
  ["first", ["/item/0", "/item/1", "/item/2", "/item/3"]],
  ["newest", ["/item/0", "/item/1", "/item/2", "/item/3"]],
  ["spread", ["/item/0", "/item/2", "/item/5", "/item/7"]],
])("the sample “%s” chooses %j", async ([sample, chosen]) => {
  const found = await chooseJobs({ ...rule, sample }, () => pages, []);
  expect(found.matching).toBe(10);
  expect(paths(found.make)).toEqual(chosen);
});

test("a rule is about a pattern, a template, or a folder of names", async () => {
  const count = async (by: "pattern" | "template", value: string) =>
    (await chooseJobs({ ...rule, by, value }, () => pages, [])).matching;
  expect(await count("pattern", "/*")).toBe(13);
  expect(await count("template", "/item/{n}")).toBe(10);
  expect(await count("template", "/docs/{…}")).toBe(2);
});

test("jobs that exist go first; a job is retired when its page is gone and taken up when it is back", async () => {
  const known = [made("/item/7"), made("/gone"), made("/item/8", "8", true), made("/item/9", null)];
  const found = await chooseJobs(rule, () => pages, known);
  expect(paths(found.keep)).toEqual(["/item/7", "/item/8"]);
  expect(paths(found.retire)).toEqual(["/gone"]);
  expect(paths(found.revive)).toEqual(["/item/8"]);
  // The owner has deleted the job of item 9, so it isn't made again.
  expect(paths(found.make)).toEqual(["/item/0", "/item/1"]);
});

test("with a lower limit, the jobs beyond it are retired", async () => {
  const known = ["/item/0", "/item/1", "/item/2"].map((path) => made(path));
  const { retire } = await chooseJobs({ ...rule, maxJobs: 1 }, () => pages, known);
  expect(paths(retire)).toEqual(["/item/1", "/item/2"]);
});

test("the newest pages are chosen wherever they are in the order of addresses", async () => {
  const mixed = [3, 9, 1, 7, 5].map((day) => page(`/item/day-${day}`, day));
  const { make } = await chooseJobs({ ...rule, maxJobs: 2, sample: "newest" }, () => mixed, []);
  expect(paths(make)).toEqual(["/item/day-9", "/item/day-7"]);
});

test("jobs are named by title and path, within 120 characters", () => {
  expect(nameOfPage(page("/item/1"))).toBe("Page /item/1 (/item/1)");
  expect(nameOfPage({ title: "", address: "https://a.example/x?y=1" })).toBe("/x?y=1");
  const long = nameOfPage({ title: "x".repeat(300), address: `https://a.example/${"y".repeat(60)}` });
  expect(long).toHaveLength(120);
  expect(nameOfPage({ title: "", address: `https://a.example/${"y".repeat(500)}` })).toHaveLength(120);
});
