import { expect, test } from "vitest";
import { type ViewId, viewOf, viewPath, views } from "./views.ts";

const all: { id: ViewId }[] = [
  { id: "dashboard" },
  { id: "jobs" },
  { id: "all-jobs" },
  { id: "reports" },
  { id: "profile" },
  { id: "billing" },
];

test("every view's URL is on the /dashboard route and opens that view", () => {
  for (const { id } of all) {
    const url = new URL(viewPath(id), "http://x");
    expect(url.pathname).toBe("/dashboard");
    expect(viewOf(url.searchParams, all)).toBe(id);
  }
});

test.each(["", "view=", "view=nothing", "view=Jobs", "view=__proto__", "other=jobs"])(
  "the query %j opens the dashboard",
  (search) => {
    expect(viewOf(new URLSearchParams(search), all)).toBe("dashboard");
  },
);

test("a view that does not exist opens the dashboard, so no URL shows an empty screen", () => {
  expect(viewOf(new URLSearchParams("view=billing"), [{ id: "dashboard" }])).toBe("dashboard");
});

test("the views always include the dashboard", () => {
  expect(views.map((view) => view.id)).toContain("dashboard");
});
