import { Route, Routes } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { answer } from "../../testing/answer.ts";
import { eventually, find, render } from "../../testing/render.tsx";

afterEach(() => vi.unstubAllGlobals());

async function open(mailbox: boolean) {
  answer(200, { jurisdiction: "Ruritania", supportEmail: "help@x.example", demo: false, mailbox });
  // The installation's properties are requested once per page load.
  vi.resetModules();
  const { Registered } = await import("./registered.tsx");
  const screen = <Route path="/register/finished/:email" element={<Registered />} />;
  return render(<Routes>{screen}</Routes>, "/register/finished/ana%40example.com");
}

test("if mails stay in the local mailbox, the page links to it", async () => {
  const { unmount } = await open(true);
  const link = await eventually(() => find("a", "local mailbox"));
  expect(link.getAttribute("href")).toBe("/mailbox");
  await unmount();
});

test("if mails are sent, the page does not mention the local mailbox", async () => {
  const { host, unmount } = await open(false);
  await eventually(() => find("strong", "ana@example.com"));
  expect(host.textContent).not.toContain("local mailbox");
  await unmount();
});
