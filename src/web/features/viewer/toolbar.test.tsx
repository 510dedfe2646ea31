import { expect, test, vi } from "vitest";
import { click, find, render } from "../../testing/render.tsx";
import { splitRegions } from "./image/regions.ts";
import type { Command } from "./keyboard-shortcuts/keys.ts";
import { ViewerToolbar } from "./toolbar.tsx";
import type { useViewState } from "./url-state/use-view-state.ts";
import { readViewState } from "./url-state/view-state.ts";

const marks = splitRegions({
  changed: true,
  regions: [
    { kind: "changed", old: null, new: null, says: "“Fjell lamp” 59.00 € → 64.00 €" },
    { kind: "changed", old: null, new: null, isNoise: true },
  ],
});

type Tools = ReturnType<typeof useViewState>;

async function show(search: string, options: { count: number; isUnchanged?: boolean }) {
  const run = vi.fn<(command: Command) => void>();
  const look = readViewState(new URLSearchParams(search), true);
  const tools = { look, count: options.count, setMode: () => {}, setFind: () => {}, findFocus: 0 };
  const screen = await render(
    <ViewerToolbar
      tools={tools as unknown as Tools}
      hasImage
      isCompared
      isUnchanged={options.isUnchanged ?? false}
      marks={marks}
      run={run}
    />,
  );
  return { ...screen, run };
}

test("ignored differences are not counted as changes", async () => {
  const unchanged = await show("show=html", { count: 1, isUnchanged: true });
  expect(find("output", "1 of 1 ignored difference")).toBeTruthy();
  await unchanged.unmount();
  const changed = await show("show=html", { count: 2 });
  expect(find("output", "1 of 2 changes")).toBeTruthy();
  await changed.unmount();
  const picture = await show("", { count: 0, isUnchanged: true });
  expect(find("output", "No regions")).toBeTruthy();
  await picture.unmount();
});

test("the zoom button shows Fit and switches to 100%; at 100% it switches back", async () => {
  const fit = await show("", { count: 0 });
  await click(find("button", "Fit"));
  expect(fit.run).toHaveBeenCalledWith("actualSize");
  await fit.unmount();
  const actualSize = await show("zoom=1", { count: 0 });
  await click(find("button", "100%"));
  expect(actualSize.run).toHaveBeenCalledWith("zoomReset");
  await actualSize.unmount();
});

test("the selected region's description is shown; noise is counted separately and can be shown", async () => {
  const picture = await show("", { count: 1 });
  expect(find("output", "1 of 1 region")).toBeTruthy();
  expect(find("p", "“Fjell lamp” 59.00 € → 64.00 €")).toBeTruthy();
  const toggle = find("button", "Noise (1)");
  expect(toggle.getAttribute("aria-pressed")).toBe("false");
  await click(toggle);
  expect(picture.run).toHaveBeenCalledWith("noise");
  await picture.unmount();
});
