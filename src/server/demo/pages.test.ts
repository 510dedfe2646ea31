import { afterEach, expect, test, vi } from "vitest";
import { compare } from "#detection/compare.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { demoPages } from "./pages.ts";

const verdictOf = (before: string, after: string) => {
  const [oldCapture, newCapture] = [before, after].map((html) =>
    snapshotOf(html, "html", "http://127.0.0.1:3001/"),
  );
  if (!oldCapture || !newCapture) throw new Error("two pages are needed");
  return compare(oldCapture, newCapture, emptyMemory()).verdict;
};

afterEach(() => {
  vi.useRealTimers();
});

test.each(demoPages.map((page) => [page.name, page] as const))(
  "%s: two requests differ only in noise, and its versions include a real change",
  (_, { render }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 18, 22, 51, 29, 915) });
    const first = render(0);
    vi.setSystemTime(Date.UTC(2026, 10, 19, 7, 3, 30, 16));
    const second = render(0);
    expect(second).not.toBe(first);
    expect(verdictOf(first, second).reasons).toEqual([]);
    const changes = [1, 2, 3].map((version) => verdictOf(render(version - 1), render(version)).changed);
    expect(changes).toContain(true);
  },
);

test("the tampered sign-in form is a critical change", () => {
  const form = demoPages.find(({ path }) => path === "/login");
  const verdict = verdictOf(form?.render(0) ?? "", form?.render(1) ?? "");
  expect(verdict.severity).toBe("critical");
});
