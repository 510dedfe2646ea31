import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { FoundLine, SearchResults } from "#contract/page-block.ts";
import { click, eventually, find, render } from "#web/testing/render.tsx";
import { Search } from "./search.tsx";

afterEach(() => vi.unstubAllGlobals());

const at = "2026-01-02T03:04:05.000Z";
const line = (id: number, more: Partial<FoundLine> = {}): FoundLine => ({
  id,
  kind: "text",
  text: `Careers at Acme ${id}`,
  match: { start: 0, end: 7 },
  firstAt: at,
  pages: 1,
  pagesNow: 1,
  goneAt: null,
  stays: [
    {
      jobId: "job-1",
      job: "Front page",
      url: "https://acme.example/",
      groupId: "group-1",
      firstAt: at,
      firstExecutionId: "first",
      lastExecutionId: "last",
      goneAt: null,
      goneExecutionId: null,
    },
  ],
  ...more,
});
const found = (more: Partial<SearchResults> = {}): SearchResults => ({
  lines: [],
  more: false,
  total: null,
  isCapped: false,
  isScanned: false,
  jobsToIndex: 0,
  ...more,
});

function answerSearch(results: SearchResults | { code: string; message: string }, status = 200) {
  const urls: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    if (url === "/api/jobs") return Response.json({ jobs: [], nextCursor: null });
    if (url === "/api/search-alerts") return Response.json({ alerts: [] });
    if (url === "/api/jobs/groups") return Response.json([]);
    urls.push(url);
    if (url.includes("/context"))
      return Response.json({ before: ["Products"], line: "Careers at Acme 1", after: ["Contact"] });
    return Response.json(results, { status });
  });
  return urls;
}

const show = (path: string) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Search />
    </QueryClientProvider>,
    path,
  );

test("a result says since when, links to its executions, and shows its neighbors on request", async () => {
  const urls = answerSearch(
    found({ lines: [line(1)], total: { firstAt: at, pages: 3, pagesNow: 2, goneAt: null } }),
  );
  const { host, unmount } = await show("/dashboard?view=search&q=Careers&kind=text");
  await eventually(() => expect(host.querySelector("mark")?.textContent).toBe("Careers"));
  expect(urls).toEqual(["/api/search?q=Careers&mode=literal&sort=newest&limit=25&kind=text"]);
  expect(host.querySelector("[role=status]")?.textContent).toMatch(/First seen .* on 3 pages, still on 2/);
  const links = [...host.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  expect(links).toContain("/dashboard?view=jobs&group=group-1&job=job-1&execution=first");
  expect(links).toContain("/dashboard?view=jobs&group=group-1&job=job-1&execution=last");
  await click(find("button", "Show the lines around it"));
  await eventually(() => expect(host.textContent).toContain("ProductsCareers at Acme 1Contact"));
  await unmount();
});

test("what a search left out is said", async () => {
  answerSearch(
    found({
      lines: [line(1, { goneAt: at, pagesNow: 0 })],
      more: true,
      total: { firstAt: at, pages: 1, pagesNow: 0, goneAt: at },
      isCapped: true,
      isScanned: true,
      jobsToIndex: 2,
    }),
  );
  const { host, unmount } = await show("/dashboard?view=search&q=Careers");
  await eventually(() => find("button", "Show more"));
  for (const part of [
    "on at least 1 page, gone since",
    "More than 2,000 lines match",
    "Only your newest 100,000 lines were searched",
    "2 jobs have older captures that can’t be searched yet",
  ])
    expect(host.textContent).toContain(part);
  await unmount();
});

test("before a search, with nothing found and after a failure, the screen says what to do", async () => {
  answerSearch(found());
  const empty = await show("/dashboard?view=search");
  expect(empty.host.textContent).toContain("Search everything your pages have shown");
  expect(find("a", "Hosts contacted").getAttribute("href")).toBe("/dashboard?view=search&kind=host");
  await empty.unmount();
  const none = await show("/dashboard?view=search&q=Nowhere");
  await eventually(() => expect(none.host.textContent).toContain("Nothing found"));
  await none.unmount();
  answerSearch({ code: "INVALID_INPUT", message: "This search takes too long." }, 400);
  const failed = await show("/dashboard?view=search&q=Slow");
  await eventually(() => expect(failed.host.textContent).toContain("This search takes too long."));
  await failed.unmount();
});
