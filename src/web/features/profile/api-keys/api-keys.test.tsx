import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { click, eventually, find, render, type } from "#web/testing/render.tsx";
import { ApiKeys } from "./api-keys.tsx";

afterEach(() => vi.unstubAllGlobals());

const existingKey = {
  id: "1",
  name: "Nightly cron",
  scope: "check",
  hint: "wg_AbCdE",
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2026-02-01T00:00:00.000Z",
  expired: true,
  lastUsedAt: null,
};

async function show(keys: object[], refusal?: string) {
  const calls: [string, unknown][] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    calls.push([`${init.method} ${url}`, typeof init.body === "string" ? JSON.parse(init.body) : undefined]);
    if (init.method === "GET") return Response.json({ keys });
    if (refusal) return Response.json({ code: "INVALID_INPUT", message: refusal }, { status: 400 });
    return Response.json({ code: "OK", message: "Done.", key: "wg_secret", apiKey: existingKey });
  });
  const screen = await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ApiKeys />
    </QueryClientProvider>,
  );
  return { ...screen, calls };
}

test("keys are listed with scope, dates and last use, and can be revoked", async () => {
  const { host, calls, unmount } = await show([existingKey]);
  await eventually(() => expect(host.textContent).toContain("Nightly cron wg_AbCdE…"));
  expect(host.textContent).toMatch(/check · created .* · never used · ended /);
  await click(find("button", "Revoke the key Nightly cron"));
  await eventually(() => expect(calls.map(([name]) => name)).toContain("DELETE /api/keys/1"));
  await unmount();
});

test("a new key is shown once; a refused name shows the reason", async () => {
  const { host, calls, unmount } = await show([]);
  await eventually(() => expect(host.textContent).toContain("No keys yet"));
  await click(find("button", "New key"));
  await type(document.querySelector("[role=dialog] input:not([type=radio])"), "Build server");
  const [, , write] = document.querySelectorAll<HTMLInputElement>("[role=dialog] input[type=radio]");
  await click(write as HTMLInputElement);
  await click(find("button", "Create key"));
  await eventually(() => expect(document.body.textContent).toContain("it won’t be shown again"));
  expect(calls).toContainEqual(["POST /api/keys", { name: "Build server", scope: "write", days: 90 }]);
  expect(document.querySelector<HTMLInputElement>("[role=dialog] input")?.value).toBe("wg_secret");
  await click(find("button", "Done"));
  await unmount();

  const refused = await show([], "Name must be 1-60 characters.");
  await eventually(() => expect(refused.host.textContent).toContain("No keys yet"));
  await click(find("button", "New key"));
  await click(find("button", "Create key"));
  await eventually(() => expect(document.body.textContent).toContain("Name must be 1-60 characters."));
  await refused.unmount();
});
