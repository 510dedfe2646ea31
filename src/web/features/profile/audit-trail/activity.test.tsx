import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { AuditEntry } from "#contract/audit.ts";
import { answer, unreachable } from "#web/testing/answer.ts";
import { click, eventually, find, render } from "#web/testing/render.tsx";
import { Activity } from "./activity.tsx";

afterEach(() => vi.unstubAllGlobals());

const entry = (number: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  at: "2026-01-01T00:00:00.000Z",
  action: "signed-in",
  text: "Signed in",
  about: null,
  actor: "you",
  address: "192.0.2.7",
  device: "Firefox on Linux",
  ...more,
});

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Activity />
    </QueryClientProvider>,
  );

test("the list shows who did what and from where, and loads more on request", async () => {
  const pages = [
    {
      entries: [
        entry(2),
        entry(1, {
          text: "Plan changed",
          about: "Basic to Ultimate",
          actor: "operator",
          address: null,
          device: null,
        }),
      ],
      nextCursor: entry(1).id,
    },
    { entries: [entry(0, { text: "Job deleted", about: "Prices" })], nextCursor: null },
  ];
  const requestedUrls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    requestedUrls.push(url);
    return Response.json(pages[requestedUrls.length - 1]);
  });
  const { host, unmount } = await show();
  await eventually(() => expect(host.querySelectorAll("li")).toHaveLength(2));
  expect(host.textContent).toContain("Firefox on Linux, 192.0.2.7");
  expect(host.textContent).toContain("Plan changed · Basic to Ultimate");
  expect(host.textContent).toContain("by the operator");
  await click(find("button", "Show more"));
  await eventually(() => expect(host.querySelectorAll("li")).toHaveLength(3));
  expect(requestedUrls[1]).toContain(`cursor=${entry(1).id}`);
  expect(host.textContent).not.toContain("Show more");
  expect(find("a", "Download CSV").getAttribute("href")).toBe("/api/me/audit/export");
  await unmount();
});

test("an empty activity list shows a message", async () => {
  answer(200, { entries: [], nextCursor: null });
  const { host, unmount } = await show();
  await eventually(() => expect(host.textContent).toContain("No activity yet"));
  await unmount();
});

test("a failed load shows a message and can be tried again", async () => {
  unreachable();
  const { host, unmount } = await show();
  await eventually(() => expect(host.textContent).toContain("We couldn’t load the activity"));
  answer(200, { entries: [entry(1)], nextCursor: null });
  await click(find("button", "Try again"));
  await eventually(() => expect(host.textContent).toContain("Signed in"));
  await unmount();
});
