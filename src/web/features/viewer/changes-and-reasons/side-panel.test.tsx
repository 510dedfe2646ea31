import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "../../../testing/render.tsx";
import type { Comparison, Detail } from "../queries.ts";
import { SidePanel } from "./side-panel.tsx";

// What the panel asks for beside the details has no answer here.
beforeEach(() => void vi.stubGlobal("fetch", () => new Promise(() => {})));
afterEach(() => void vi.unstubAllGlobals());

const archive = "ab".repeat(32);
const detail = {
  id: "00000000-0000-4000-8000-000000000001",
  jobId: "00000000-0000-4000-8000-000000000002",
  index: 3,
  createdAt: "2026-03-04T05:06:07.000Z",
  status_code: 200,
  similarity: null,
  durationMs: 1200,
  attempts: 1,
  stages: null,
  truncated: false,
  imported: null,
  seal: { position: 3, hash: "cd".repeat(32) },
  verdict: null,
  baselineId: null,
  deliveries: [],
  opinion: null,
  steps: [],
  passedOver: [],
  triggerRuns: [],
};

const show = (imported: object | null, comparison?: object) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SidePanel
        detail={{ ...detail, imported } as unknown as Detail}
        job={undefined}
        other={undefined}
        comparison={comparison as Comparison | undefined}
        tried={undefined}
        region={undefined}
        steps={0}
        onRegion={() => {}}
        onRules={() => {}}
      />
    </QueryClientProvider>,
  );

test.for([
  [true, "Its seal of that time came with it."],
  [false, "The archive had no seal of it, so nothing vouches for what it says."],
] as const)("an imported execution is marked with when and from which archive", async ([sealed, words]) => {
  const { host, unmount } = await show({ at: "2026-07-08T09:10:11.000Z", archive, sealed });
  const fact = [...host.querySelectorAll("dt")].find(({ textContent }) => textContent === "Imported");
  const text = fact?.nextElementSibling?.textContent;
  expect(text).toContain("2026");
  expect(text).toContain(`from an archive with the fingerprint (SHA-256) ${archive}. ${words}`);
  expect(host.querySelector("dd time[datetime='2026-07-08T09:10:11.000Z']")).toBeTruthy();
  await unmount();
});

test("an execution that was captured here has no mark of an import", async () => {
  const { host, unmount } = await show(null);
  expect(host.textContent).toContain("Execution #3");
  expect(host.textContent).not.toContain("Imported");
  await unmount();
});

test("a finding that went and returned is listed as back again", async () => {
  const ignored = [
    { place: "script cdn.example", before: null, after: "https://cdn.example/x.js", why: "alternating" },
  ];
  const verdict = { reasons: [], findings: [], hunks: [], regions: [], often: [], ignored, ignoredCount: 1 };
  const { host, unmount } = await show(null, verdict);
  expect(host.textContent).toContain("back again: an earlier check saw it");
  expect(host.textContent).toContain("https://cdn.example/x.js");
  await unmount();
});
