import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { Channels } from "#contract/delivery.ts";
import type { Me } from "#web/api/me.ts";
import { find, render } from "#web/testing/render.tsx";
import { Automations } from "./automations.tsx";

const me = {
  planId: "ultimate",
  email: "ana@example.com",
  UserBotToken: [{ telegramPrivateToken: "TOKEN", telegramNotificationEnabled: 0 }],
  notifications: { telegram: true, email: true, combine: true },
} as Me;

const linked: Channels = {
  telegram: {
    included: true,
    available: true,
    bot: "watchglass_bot",
    chat: { label: "@ana", since: "2026-01-01T00:00:00.000Z", failure: "The bot was blocked." },
  },
  discord: { included: true, webhook: null },
  slack: { included: true, webhook: null },
  teams: { included: true, webhook: null },
  ntfy: { included: true, webhook: null },
  matrix: { included: true, webhook: null },
  webhook: { included: true, webhook: null },
  push: { included: true, webhook: null },
  email: { address: "ana@example.com", failure: null },
  signing: { since: null },
};

afterEach(() => vi.unstubAllGlobals());

const waitFor = (check: () => void) => act(async () => void (await vi.waitFor(check)));

async function show(channels: Channels, refusal?: string) {
  const calls: string[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    calls.push(`${init.method} ${url}`);
    if (init.method === "GET") return Response.json(channels);
    return refusal
      ? Response.json({ code: "INVALID_INPUT", message: refusal }, { status: 400 })
      : Response.json({ code: "OK", message: "Done.", secret: "whsec_new", token: "NEW" });
  });
  const screen = await render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Automations me={me} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(document.body.textContent).toContain("Email notifications"));
  return { ...screen, calls };
}
const press = (text: string) => act(async () => find("button", text).click());

test("a linked chat is shown with its failure and can be tested and unlinked", async () => {
  const { calls, host, unmount } = await show(linked);
  expect(host.textContent).toContain("Telegram chat @ana");
  expect(host.textContent).toContain("The bot was blocked.");
  expect(host.textContent).toContain("Alerts go to @ana.");
  expect(find("summary", "How to link another Telegram chat").closest("details")?.open).toBe(false);
  await press("Unlink");
  await press("Renew");
  await press("Send me a test");
  for (const request of [
    "DELETE /api/me/channels/telegram",
    "POST /api/me/bot-token",
    "POST /api/me/channels/telegram/test",
  ])
    await waitFor(() => expect(calls).toContain(request));
  await unmount();
});

test("without a chat the screen shows how to link one and which plans include it", async () => {
  const basic: Channels = {
    ...linked,
    telegram: { included: false, available: true, bot: "watchglass_bot", chat: null },
    discord: { included: false, webhook: null },
  };
  const { host, unmount } = await show(basic);
  expect(find("summary", "How to link your Telegram chat").closest("details")?.open).toBe(true);
  expect(host.textContent).toContain(
    "Not in your plan. Telegram alerts are part of the Professional and Ultimate plans.",
  );
  expect(host.textContent).toContain("Discord alerts are part of the Professional and Ultimate plans.");
  expect(host.querySelector<HTMLAnchorElement>("a[href='https://t.me/watchglass_bot']")?.rel).toBe(
    "noopener noreferrer",
  );
  await unmount();
});

test.each([
  [
    { available: false, included: false, bot: null, chat: null },
    "This installation has no Telegram bot",
    "false",
  ],
  [{ available: true, included: true, bot: "b", chat: null }, "No chat is linked yet", "true"],
])("the Telegram switch's description states the reason, and without a bot it is off: %o", async (...row) => {
  const [telegram, words, isOn] = row;
  const { host, unmount } = await show({ ...linked, telegram });
  expect(host.querySelector("[role=switch]")?.getAttribute("aria-checked")).toBe(isOn);
  const described = host.querySelector("[role=switch]")?.getAttribute("aria-describedby") ?? "";
  expect(document.getElementById(described)?.textContent).toContain(words);
  await unmount();
});

test("a refused webhook shows the error at its field; a new signing secret is shown", async () => {
  const { host, unmount } = await show(linked, "This is not a Discord webhook address.");
  const input = host.querySelector<HTMLInputElement>("input[placeholder^='https://discord.com']");
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, "nonsense");
    input?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await press("Save");
  await waitFor(() => expect(host.textContent).toContain("This is not a Discord webhook address."));
  expect(input?.getAttribute("aria-invalid")).toBe("true");
  await unmount();
  const working = await show(linked);
  await press("Create one");
  await waitFor(() =>
    expect(working.host.querySelector<HTMLInputElement>("input[value='whsec_new']")).not.toBeNull(),
  );
  await working.unmount();
});
