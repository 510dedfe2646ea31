import { expect, test } from "vitest";
import { compare } from "#detection/compare.ts";
import { emptyMemory } from "#detection/noise-memory.ts";
import { snapshotOf } from "#detection/snapshot-of.ts";
import { demoPages } from "./pages.ts";

const judge = (before: string, after: string) => {
  const [old, now] = [before, after].map((html) => snapshotOf(html, "html", "http://127.0.0.1:3001/"));
  if (!old || !now) throw new Error("two pages are needed");
  return compare(old, now, emptyMemory()).verdict;
};

test.each(demoPages.map((page) => [page.name, page] as const))(
  "%s: two requests differ in noise only, its story in real changes",
  (_, { render }) => {
    expect(render(0)).not.toBe(render(0));
    expect(judge(render(0), render(0)).reasons).toEqual([]);
    const story = [1, 2, 3].map((version) => judge(render(version - 1), render(version)).changed);
    expect(story).toContain(true);
  },
);

test("the tampered sign-in form is told as what it is", () => {
  const form = demoPages.find(({ path }) => path === "/login");
  const verdict = judge(form?.render(0) ?? "", form?.render(1) ?? "");
  expect(verdict.severity).toBe("critical");
});
