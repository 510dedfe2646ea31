import { Route, Routes } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { answer } from "../../testing/answer.ts";
import { click, find, render, type } from "../../testing/render.tsx";
import { NewPassword } from "./new-password.tsx";

afterEach(() => vi.unstubAllGlobals());

const screen = (
  <Routes>
    <Route path="/recover/:token" element={<NewPassword />} />
    <Route path="/login" element="login page" />
    <Route path="/recover" element="recovery page" />
  </Routes>
);
/** What either call of the screen reads is in it. */
const changed = { code: "PASSWORD_RESET_SUCCESS", message: "Changed.", keys: [] };
const open = () => render(screen, "/recover/t0ken");
const methods = (fetching: ReturnType<typeof answer>) =>
  fetching.mock.calls.map(([, options]) => options?.method);
const rules = () =>
  [...document.querySelectorAll("[data-holds]")].map((rule) => rule.getAttribute("data-holds"));

test.each([
  ["", "false", "false"],
  ["abc1!", "false", "true"],
  ["abcdefgh", "true", "false"],
  ["abcdefg1", "true", "false"],
  ["abcdef1!", "true", "true"],
  ["abcdefghijklmnopq12!", "true", "true"],
  ["abcdefghijklmnopqr12!", "false", "true"],
  ["abc def1!", "true", "false"],
  ["pässwort1!", "true", "false"],
])("the indicators follow %j", async (password, length, content) => {
  answer(200, changed);
  const { unmount } = await open();
  await type(document.querySelector("input"), password);
  expect(rules()).toEqual([length, content]);
  await unmount();
});

test("a password against the rule is never sent", async () => {
  const fetching = answer(200, changed);
  const { unmount } = await open();
  await type(document.querySelector("input"), "short1!");
  await click(find("button", "Update"));
  find("h2", "Invalid Password");
  find("p", "Password must be 8-20 characters and include at least one number and one symbol.");
  expect(methods(fetching)).not.toContain("PATCH");
  await unmount();
});

test("a link that does not work leads to a new one, and the way to sign in is there", async () => {
  answer(400, { code: "PASSWORD_RESET_FAILED", message: "This recovery link is not valid any more." });
  const { unmount, path } = await open();
  expect(find("a", "Login instead").getAttribute("href")).toBe("/login");
  expect(find("a", "Send a new one").getAttribute("href")).toBe("/recover");
  await type(document.querySelector("input"), "abcdef1!");
  await click(find("button", "Update"));
  find("p", "This recovery link is not valid any more.");
  await click(find("button", "Close"));
  expect(path()).toBe("/recover");
  await unmount();
});

test("success is one message box whose Close leads to /login", async () => {
  const fetching = answer(200, changed);
  const { unmount, path } = await open();
  await type(document.querySelector("input"), "abcdef1!");
  await click(find("button", "Update"));
  expect(document.querySelectorAll("[role=alertdialog]")).toHaveLength(1);
  find("p", "Changed.");
  await click(find("button", "Close"));
  expect(path()).toBe("/login");
  expect(methods(fetching)).toEqual(["GET", "PATCH"]);
  await unmount();
});

test("says which API keys keep working, and revokes them only on request", async () => {
  const keys = [
    { name: "CI", scope: "write", createdAt: "2026-01-01T00:00:00.000Z", lastUsedAt: null },
    {
      name: "Backup",
      scope: "read",
      createdAt: "2026-01-02T00:00:00.000Z",
      lastUsedAt: "2026-01-03T00:00:00.000Z",
    },
  ];
  for (const revokes of [false, true]) {
    const fetching = vi.fn<typeof fetch>(async (_, options) =>
      Response.json(options?.method === "GET" ? { keys } : changed),
    );
    vi.stubGlobal("fetch", fetching);
    const { host, unmount } = await open();
    expect(host.textContent).toContain("2 API keys keep working.");
    expect([...host.querySelectorAll("fieldset li")].map((row) => row.textContent)).toEqual([
      "CI write · never used",
      expect.stringMatching(/^Backup read · last used /),
    ]);
    const box = host.querySelector<HTMLInputElement>("input[type=checkbox]");
    expect(box?.checked).toBe(false);
    if (revokes && box) await click(box);
    await type(host.querySelector("input[type=password]"), "abcdef1!");
    await click(find("button", "Update"));
    const sent = fetching.mock.calls.find(([, options]) => options?.method === "PATCH")?.[1]?.body;
    expect(typeof sent === "string" && JSON.parse(sent)).toEqual({
      newPassword: "abcdef1!",
      ...(revokes ? { revokeKeys: true } : {}),
    });
    await unmount();
  }
});

test("without API keys nothing is said of them", async () => {
  answer(200, changed);
  const { host, unmount } = await open();
  expect(host.querySelector("fieldset")).toBeNull();
  await unmount();
});
