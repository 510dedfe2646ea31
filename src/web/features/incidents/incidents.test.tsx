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
      opinion: { model: "llama3.1", sentence: "The link to careers is gone." },
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
      noise: { wanted: 0, pending: 0, failed: 0 },
    },
  ],
  otherChanges: 1,
  isCapped: true,
};

const show = (at = "/dashboard?view=incidents") =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Incidents />
    </QueryClientProvider>,
    at,
  );

test("an incident shows what its pages have in common, and what each has beyond it", async () => {
  answer(200, found);
  const { host, unmount } = await show();
  await click(await eventually(() => find("button", "Show the pages")));
  for (const part of [
    "Link “Careers” removed on 60 pages",
    "60 pages, first",
    "In the words of llama3.1, unchecked: “The link to careers is gone.”",
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

type Sent = { method: string; path: string; body: unknown };

/** Answers the list by `found`, and everything else by a message; returns what was sent. */
function listen(list: () => Found): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (method === "GET") return Response.json(list());
    sent.push({ method, path, body: typeof body === "string" ? JSON.parse(body) : null });
    return Response.json({ code: "DONE", message: "Done." });
  });
  return sent;
}

const [first] = found.incidents;
const with2 = (more: Partial<Found["incidents"][number]> = {}): Found => ({
  ...found,
  incidents: first
    ? [
        { ...first, ...more },
        { ...first, id: "second", summary: "Text “Prices” added on 2 pages" },
      ]
    : [],
});

test("incidents are merged and split by hand, and marked as noise with an undo", async () => {
  const marked = with2({ noise: { wanted: 60, pending: 0, failed: 1 } });
  const sent = listen(() => (sent.some(({ path }) => path.endsWith("/noise")) ? marked : with2()));
  const { host, unmount } = await show();
  const boxes = () => [...host.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
  await eventually(() => expect(boxes()).toHaveLength(2));
  for (const box of boxes()) await click(box);
  await click(find("button", "Merge into one"));
  await eventually(() => expect(host.textContent).not.toContain("2 incidents selected"));
  await click(find("button", "Show the pages"));
  await click(host.querySelector<HTMLElement>("[aria-label='Select Front page to move it']") ?? host);
  await click(find("button", "Move 1 change to an incident of its own"));
  await click(find("button", "This is noise"));
  await eventually(() =>
    expect(host.textContent).toContain("59 changes are marked as noise. 1 change couldn’t be marked."),
  );
  await click(find("button", "Undo"));
  const path = "/api/incidents/first";
  await eventually(() =>
    expect(sent).toEqual([
      { method: "POST", path: `${path}/merge`, body: { incidentIds: ["second"] } },
      { method: "POST", path: `${path}/split`, body: { executionIds: ["first"] } },
      { method: "POST", path: `${path}/noise`, body: null },
      { method: "DELETE", path: `${path}/noise`, body: null },
    ]),
  );
  await unmount();
});

test("a link opens its incident, or says that it isn’t there", async () => {
  listen(() => with2());
  Element.prototype.scrollIntoView = vi.fn<() => void>();
  const opened = await show("/dashboard?view=incidents&incident=second");
  await eventually(() => find("button", "Hide the pages"));
  await opened.unmount();
  const gone = await show("/dashboard?view=incidents&incident=gone");
  await eventually(() => expect(gone.host.textContent).toContain("isn’t among those of the last 7 days"));
  await gone.unmount();
});
