import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, useRef } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { render } from "#web/testing/render.tsx";
import { useAddress } from "#web/ui/use-address.ts";
import { JobList, type JobListHandle } from "./job-list.tsx";
import type { Job } from "./queries.ts";

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

// Nothing is laid out here, and a list without height draws no rows.
beforeEach(() => vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400));

function Screen({ isBeside }: { isBeside: boolean }) {
  const [search, change] = useAddress();
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
        isBeside={isBeside}
        onSelect={(job) => change({ job })}
      />
    </QueryClientProvider>
  );
}

const row = () => document.activeElement?.querySelector("[title^=Job]")?.textContent;
const button = (text: string) =>
  [...document.querySelectorAll("button")].find((one) => one.textContent === text);
const press = (key: string) =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
  );

test("beside the job, arrows select; quick ones are not lost, whichever rows are drawn", async () => {
  const { path, unmount } = await render(<Screen isBeside />, "/?job=job-0");
  act(() => document.querySelector<HTMLElement>("[aria-current]")?.focus());
  // Nothing is awaited between them.
  await act(async () => {
    for (let i = 0; i < 7; i++) press("ArrowDown");
  });
  expect([row(), path()]).toEqual(["Job 7", "/?job=job-7"]);
  await act(async () => void press("End"));
  expect([row(), path()]).toEqual(["Job 99", "/?job=job-99"]);
  await act(async () => void press("ArrowUp"));
  expect([row(), path()]).toEqual(["Job 98", "/?job=job-98"]);
  expect(document.querySelectorAll("[data-row][tabindex='0']").length).toBe(1);
  await unmount();
});

test("in the job's place, arrows move the focus and Enter opens", async () => {
  const { path, unmount } = await render(<Screen isBeside={false} />);
  await act(async () => button("Enter")?.click());
  expect([row(), path()]).toEqual(["Job 0", "/"]);
  await act(async () => void press("End"));
  expect([row(), path()]).toEqual(["Job 99", "/"]);
  await act(async () => (document.activeElement as HTMLElement).click());
  expect(path()).toBe("/?job=job-99");
  // What was pressed to come back goes with the job.
  await act(async () => {
    (document.activeElement as HTMLElement).blur();
    button("Back")?.click();
  });
  expect([row(), path()]).toEqual(["Job 99", "/"]);
  await unmount();
});
