import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { Incidents as Found } from "#contract/incident.ts";
import { answer, unreachable } from "#web/testing/answer.ts";
import { click, eventually, find, render } from "#web/testing/render.tsx";
import { Incidents } from "./incidents.tsx";

afterEach(() => vi.unstubAllGlobals());

const at = "2026-01-02T03:04:05.000Z";
const found: Found = {
  incidents: [
    {
      id: "first",
      firstAt: at,
      lastAt: at,
      severity: "important",
      pages: 60,
      summary: "Link “Careers” removed on 60 pages",
      common: [{ sign: "-", kind: "link", text: "https://acme.example/careers" }],
      moreCommon: 2,
      changes: [
        {
          executionId: "first",
          jobId: "job-1",
          job: "Front page",
          url: "https://acme.example/",
          groupId: "group-1",
          at,
          severity: "important",
          summary: "Link removed",
          own: 3,
        },
      ],
      moreChanges: 59,
    },
  ],
  otherChanges: 1,
  isCapped: true,
};

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Incidents />
    </QueryClientProvider>,
  );

test("an incident shows what its pages have in common, and what each has beyond it", async () => {
  answer(200, found);
  const { host, unmount } = await show();
  await click(await eventually(() => find("button", "Show the pages")));
  for (const part of [
    "Link “Careers” removed on 60 pages",
    "60 pages, first",
    "Removed · Link: https://acme.example/careers",
    "And 2 more.",
    "3 things on this page only",
    "And 59 more changes.",
    "1 other change in this period belongs to no incident. Only the newest 500 changes are compared.",
  ])
    expect(host.textContent).toContain(part);
  expect(find("a", "Front page").getAttribute("href")).toBe(
    "/dashboard?view=jobs&group=group-1&job=job-1&execution=first",
  );
  await unmount();
});

test("without incidents, and after a failure, the screen says so", async () => {
  answer(200, { incidents: [], otherChanges: 0, isCapped: false });
  const empty = await show();
  await eventually(() => expect(empty.host.textContent).toContain("No incidents"));
  expect(empty.host.textContent).toContain("0 other changes in this period belong to no incident.");
  await empty.unmount();
  unreachable();
  const failed = await show();
  await eventually(() => expect(failed.host.textContent).toContain("We couldn’t load the incidents"));
  answer(200, found);
  await click(find("button", "Try again"));
  await eventually(() => find("button", "Show the pages"));
  await failed.unmount();
});
