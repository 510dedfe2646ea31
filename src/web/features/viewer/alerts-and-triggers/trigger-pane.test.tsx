import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { find, render } from "../../../testing/render.tsx";
import type { Detail, Job } from "../queries.ts";
import { TriggerPane } from "./trigger-pane.tsx";

const run = {
  id: "r",
  state: "sent",
  response: { status: 202, headers: [], body: "", truncated: false },
  request: null,
  attempts: 1,
  durationMs: 5,
  error: null,
  eventId: "e",
  byHand: false,
  createdAt: "2026-01-01T00:00:00.000Z",
};

const show = (triggerRuns: unknown[]) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TriggerPane
        detail={{ id: "x", jobId: "j", triggerRuns } as unknown as Detail}
        job={{ trigger: {} } as Job}
        onClose={() => {}}
      />
    </QueryClientProvider>,
  );

test("a trigger can be run again only for an execution in which it ran", async () => {
  const withoutRuns = await show([]);
  expect(withoutRuns.host.textContent).toContain("No request was sent");
  expect(withoutRuns.host.textContent).not.toContain("Run again");
  await withoutRuns.unmount();
  const { unmount } = await show([run]);
  expect(find("button", "Run again")).toBeTruthy();
  await unmount();
});
