import { afterEach, expect, test, vi } from "vitest";
import { answer } from "../../testing/answer.ts";
import { eventually, find, render } from "../../testing/render.tsx";

afterEach(() => vi.unstubAllGlobals());

async function open(about: { portrait: boolean; codeUrl: string | null; networkUrl: string | null }) {
  answer(200, { about });
  // The installation's properties are requested once per page load.
  vi.resetModules();
  const { About } = await import("./about.tsx");
  return render(<About />, "/about");
}

test("the page shows the operator's portrait and links", async () => {
  const codeUrl = "https://code.example/me";
  const networkUrl = "https://network.example/me";
  const { host, unmount } = await open({ portrait: true, codeUrl, networkUrl });
  await eventually(() => expect(find("a", "My code").getAttribute("href")).toBe(codeUrl));
  expect(find("a", "My professional profile").getAttribute("href")).toBe(networkUrl);
  expect(host.querySelector("img")?.getAttribute("src")).toBe("/api/site/portrait");
  find("h2", "Why I built it");
  await unmount();
});

test("without a portrait and links, the page shows a drawn portrait and no links", async () => {
  const { host, unmount } = await open({ portrait: false, codeUrl: null, networkUrl: null });
  expect(host.querySelector("[role=img]")?.getAttribute("aria-label")).toBe("A drawn portrait");
  expect(host.querySelectorAll("a[rel]")).toHaveLength(0);
  expect(host.querySelector("img")).toBeNull();
  await unmount();
});
