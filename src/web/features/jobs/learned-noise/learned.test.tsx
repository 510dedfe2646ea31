import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { Noise } from "#web/api/noise.ts";
import { click, eventually, find, render } from "#web/testing/render.tsx";
import { Learned } from "./learned.tsx";

afterEach(() => vi.unstubAllGlobals());

const since = "2026-11-01T00:00:00.000Z";
const emptyNoise: Noise = { learned: [], kept: [], answers: [], idleRules: [] };
const learnedNoise: Noise = {
  learned: [
    { id: "abc", place: "main>p", why: "said", times: 0, samples: ["Ten", "Nine"], since },
    { id: null, place: "header>b", why: "twin", times: 4, samples: ["12:00", "12:00"], since: null },
  ],
  kept: [{ place: "footer", since }],
  answers: [{ place: "nav", answer: "daily", since }],
  idleRules: [],
};

async function show(noise: Noise | null) {
  const calls: [string, unknown][] = [];
  vi.stubGlobal("fetch", async (url: string, init: { method: string; body: string }) => {
    if (init.method !== "GET") calls.push([url, JSON.parse(init.body)]);
    return noise
      ? Response.json(init.method === "GET" ? noise : { code: "OK", message: "Done." })
      : Response.error();
  });
  const screen = await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Learned jobId="1" />
    </QueryClientProvider>,
  );
  return { ...screen, calls };
}

test("everything learned and all feedback is listed, and each entry can be undone", async () => {
  const { host, calls, unmount } = await show(learnedNoise);
  await eventually(() => find("button", "Alert me about this"));
  for (const words of [
    "You marked it as noise",
    "“Ten” → “Nine”",
    "Changes by itself, seen 4 times",
    "You get it in the daily digest",
    "You asked for alerts about it",
  ])
    expect(host.textContent).toContain(words);
  expect(host.textContent).not.toContain("“12:00” → “12:00”");
  await click(find("button", "Alert me about this"));
  for (const button of [...host.querySelectorAll("button")].filter(
    ({ textContent }) => textContent === "Undo",
  ))
    await click(button);
  expect(calls.map(([url, body]) => [url.split("/noise/")[1], body])).toEqual([
    ["unlearn", { place: "header>b" }],
    ["take-back", { id: "abc" }],
    ["take-back", { place: "nav" }],
    ["take-back", { place: "footer" }],
  ]);
  await unmount();
});

test("an empty list and a failed load each show a message", async () => {
  const empty = await show(emptyNoise);
  await eventually(() => expect(empty.host.textContent).toContain("Nothing yet."));
  await empty.unmount();
  const failed = await show(null);
  await eventually(() => find("button", "Try again"));
  await failed.unmount();
});
