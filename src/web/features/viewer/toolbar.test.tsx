import { expect, test, vi } from "vitest";
import { click, find, render } from "../../testing/render.tsx";
import type { Command } from "./keys.ts";
import { marksOf } from "./regions.ts";
import { LookTools } from "./toolbar.tsx";
import type { useLook } from "./use-look.ts";
import { lookOf } from "./view-state.ts";

const marks = marksOf({
  changed: true,
  regions: [
    { kind: "changed", old: null, new: null, says: "“Fjell lamp” 59.00 € → 64.00 €" },
    { kind: "changed", old: null, new: null, isNoise: true },
  ],
});

type Tools = ReturnType<typeof useLook>;

async function show(search: string, options: { count: number; isUnchanged?: boolean }) {
  const run = vi.fn<(command: Command) => void>();
  const look = lookOf(new URLSearchParams(search), true);
  const tools = { look, count: options.count, setMode: () => {}, setFind: () => {}, findFocus: 0 };
  const screen = await render(
    <LookTools
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

test("what was ignored is no change: it is counted apart", async () => {
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

test("fit is called fit, and leads to 100 %; 100 % leads back", async () => {
  const fit = await show("", { count: 0 });
  await click(find("button", "Fit"));
  expect(fit.run).toHaveBeenCalledWith("actualSize");
  await fit.unmount();
  const whole = await show("zoom=1", { count: 0 });
  await click(find("button", "100 %"));
  expect(whole.run).toHaveBeenCalledWith("zoomReset");
  await whole.unmount();
});

test("what the region in focus is stands beside it; noise is counted apart and switched on", async () => {
  const picture = await show("", { count: 1 });
  expect(find("output", "1 of 1 region")).toBeTruthy();
  expect(find("p", "“Fjell lamp” 59.00 € → 64.00 €")).toBeTruthy();
  const toggle = find("button", "Noise (1)");
  expect(toggle.getAttribute("aria-pressed")).toBe("false");
  await click(toggle);
  expect(picture.run).toHaveBeenCalledWith("noise");
  await picture.unmount();
});
