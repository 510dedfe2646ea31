import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, useRef } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { render } from "#web/testing/render.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import type { Job } from "../queries.ts";
import { JobList, type JobListHandle } from "./job-list.tsx";

const client = new QueryClient();
const jobs = Array.from(
  { length: 100 },
  (_, i) =>
    ({
      id: `job-${i}`,
      name: `Job ${i}`,
      status: "ACTIVE",
      activity: "idle",
      executions: [],
    }) as unknown as Job,
);

// The test environment has no layout, and a list without height draws no rows.
beforeEach(() => vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400));

function Screen({ isSideBySide }: { isSideBySide: boolean }) {
  const [search, change] = useUrlParams();
  const list = useRef<JobListHandle>(null);
  return (
    <QueryClientProvider client={client}>
      <button type="button" onClick={() => list.current?.enter()}>
        Enter
      </button>
      <button type="button" onClick={() => change({ job: null })}>
        Back
      </button>
      <JobList
        ref={list}
        jobs={jobs}
        selected={search.get("job") ?? undefined}
        isSideBySide={isSideBySide}
        onSelect={(job) => change({ job })}
      />
    </QueryClientProvider>
  );
}

const focusedRow = () => document.activeElement?.querySelector("[title^=Job]")?.textContent;
const button = (text: string) =>
  [...document.querySelectorAll("button")].find((one) => one.textContent === text);
const press = (key: string) =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
  );

test("next to an open job, arrow keys select jobs; no rapid press is lost, whichever rows are drawn", async () => {
  const { path, unmount } = await render(<Screen isSideBySide />, "/?job=job-0");
  act(() => document.querySelector<HTMLElement>("[aria-current]")?.focus());
  // Nothing is awaited between the key presses.
  await act(async () => {
    for (let i = 0; i < 7; i++) press("ArrowDown");
  });
  expect([focusedRow(), path()]).toEqual(["Job 7", "/?job=job-7"]);
  await act(async () => void press("End"));
  expect([focusedRow(), path()]).toEqual(["Job 99", "/?job=job-99"]);
  await act(async () => void press("ArrowUp"));
  expect([focusedRow(), path()]).toEqual(["Job 98", "/?job=job-98"]);
  expect(document.querySelectorAll("[data-row][tabindex='0']").length).toBe(1);
  await unmount();
});

test("where the list and a job share one column, arrow keys move the focus and Enter opens the job", async () => {
  const { path, unmount } = await render(<Screen isSideBySide={false} />);
  await act(async () => button("Enter")?.click());
  expect([focusedRow(), path()]).toEqual(["Job 0", "/"]);
  await act(async () => void press("End"));
  expect([focusedRow(), path()]).toEqual(["Job 99", "/"]);
  await act(async () => (document.activeElement as HTMLElement).click());
  expect(path()).toBe("/?job=job-99");
  // The button that was pressed to go back disappears with the job.
  await act(async () => {
    (document.activeElement as HTMLElement).blur();
    button("Back")?.click();
  });
  expect([focusedRow(), path()]).toEqual(["Job 99", "/"]);
  await unmount();
});
