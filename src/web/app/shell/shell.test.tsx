import { Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Channels } from "#contract/delivery.ts";
import { click, eventually, find, render } from "../../testing/render.tsx";
import { Shell } from "./shell.tsx";

const me = {
  id: "0192f0c1-5a3e-7c11-9d7a-3b1f5f0c2a77",
  email: "ana@team.example",
  firstname: "Ana",
  surname: "Martins",
  plan: "Professional",
  planId: "professional",
  photo: null,
  createdAt: "2026-10-01T10:00:00.000Z",
  Login: [{ email: "ana@team.example" }],
  UserBotToken: [{ telegramPrivateToken: "token", telegramNotificationEnabled: 0 }],
  notifications: { telegram: true, email: false, combine: true },
};

const channels = {
  telegram: { included: true, available: false, bot: null, chat: null },
  discord: { included: true, webhook: null },
  slack: { included: true, webhook: null },
  teams: { included: true, webhook: null },
  ntfy: { included: true, webhook: null },
  matrix: { included: true, webhook: null },
  webhook: { included: true, webhook: null },
  push: { included: true, webhook: null },
  email: { address: me.email, failure: null },
  signing: { since: null },
} satisfies Channels;

class SilentEvents extends EventTarget {
  static readonly CLOSED = 2;
  close() {}
}

let isSessionOver = false;
let calls: string[] = [];

beforeEach(() => {
  isSessionOver = false;
  calls = [];
  vi.stubGlobal("EventSource", SilentEvents);
  vi.stubGlobal("fetch", async (url: string, { method }: { method: string }) => {
    calls.push(`${method} ${url}`);
    if (isSessionOver)
      return Response.json({ code: "UNAUTHENTICATED", message: "Sign in to continue." }, { status: 401 });
    if (url === "/api/me") return Response.json(me);
    if (url.startsWith("/api/notifications"))
      return Response.json({ notifications: [], unread: 0, nextCursor: null });
    if (url === "/api/me/channels") return Response.json(channels);
    if (url === "/api/evidence")
      return Response.json({
        key: { number: 1, fingerprint: "a".repeat(64) },
        mail: false,
        webhook: null,
        bucket: null,
        stamps: false,
        days: [],
      });
    if (url.startsWith("/api/me/audit")) return Response.json({ entries: [], nextCursor: null });
    if (url === "/api/me/paces")
      return Response.json({ code: "NOT_FOUND", message: "There is nothing here." }, { status: 404 });
    if (url === "/api/keys") return Response.json({ keys: [] });
    if (url === "/api/feeds") return Response.json({ feeds: [] });
    if (url === "/api/triggers/runs") return Response.json({ runs: [] });
    if (url === "/api/jobs") return Response.json({ jobs: [] });
    if (url === "/api/jobs/groups") return Response.json([]);
    if (url === "/api/site") return Response.json({ supportEmail: "help@x.example" });
    return Response.json({ code: "OK", message: "Done." });
  });
});
afterEach(() => vi.unstubAllGlobals());

function LoginPage() {
  return <p>login, from {(useLocation().state as { from: string }).from}</p>;
}

const screen = (
  <Routes>
    <Route path="/dashboard" element={<Shell />} />
    <Route path="/login" element={<LoginPage />} />
    <Route path="/" element={<p>front page</p>} />
  </Routes>
);

test("without a session the shell redirects to /login and remembers the requested view", async () => {
  isSessionOver = true;
  const { unmount } = await render(screen, "/dashboard?view=profile");
  expect(await eventually(() => find("p", "login, from /dashboard?view=profile"))).toBeTruthy();
  await unmount();
});

test("after the session has ended, the next call redirects to /login", async () => {
  const { unmount } = await render(screen, "/dashboard?view=profile");
  await eventually(() => find("h1", "Profile"));
  isSessionOver = true;
  await click(find("button", "Update"));
  expect(await eventually(() => find("p", "login, from /dashboard?view=profile"))).toBeTruthy();
  await unmount();
});

test("the bottom of the menu shows the user and the plan; Exit ends the session on the server", async () => {
  const { unmount, path } = await render(screen, "/dashboard?view=profile");
  const name = await eventually(() => find("p", "Ana Martins"));
  expect(name.nextElementSibling?.textContent).toBe("Professional");
  await click(find("button", "Exit"));
  await eventually(() => find("p", "front page"));
  expect(calls).toContain("POST /api/auth/logout");
  expect(path()).toBe("/");
  await unmount();
});
