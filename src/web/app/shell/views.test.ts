import { expect, test } from "vitest";
import { type ViewId, viewOf, viewPath, views } from "./views.ts";

const all: { id: ViewId }[] = [
  { id: "dashboard" },
  { id: "jobs" },
  { id: "reports" },
  { id: "profile" },
  { id: "billing" },
];

test("every view's address leads back to it, on the one route", () => {
  for (const { id } of all) {
    const url = new URL(viewPath(id), "http://x");
    expect(url.pathname).toBe("/dashboard");
    expect(viewOf(url.searchParams, all)).toBe(id);
  }
});

test.each(["", "view=", "view=nothing", "view=Jobs", "view=__proto__", "other=jobs"])(
  "%j is the dashboard",
  (search) => {
    expect(viewOf(new URLSearchParams(search), all)).toBe("dashboard");
  },
);

test("a view that does not exist yet is the dashboard, so no address shows an empty screen", () => {
  expect(viewOf(new URLSearchParams("view=billing"), [{ id: "dashboard" }])).toBe("dashboard");
});

test("the dashboard is always there", () => {
  expect(views.map((view) => view.id)).toContain("dashboard");
});
