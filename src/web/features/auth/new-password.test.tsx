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
/** A response that serves both calls of the screen. */
const successReply = { code: "PASSWORD_RESET_SUCCESS", message: "Changed.", keys: [] };
const open = () => render(screen, "/recover/t0ken");
const methods = (fetchMock: ReturnType<typeof answer>) =>
  fetchMock.mock.calls.map(([, options]) => options?.method);
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
])("the indicators show which rules %j meets", async (password, length, content) => {
  answer(200, successReply);
  const { unmount } = await open();
  await type(document.querySelector("input"), password);
  expect(rules()).toEqual([length, content]);
  await unmount();
});

test("a password that breaks the rules is never sent", async () => {
  const fetchMock = answer(200, successReply);
  const { unmount } = await open();
  await type(document.querySelector("input"), "short1!");
  await click(find("button", "Update"));
  find("h2", "Invalid Password");
  find("p", "Password must be 8-20 characters and include at least one number and one symbol.");
  expect(methods(fetchMock)).not.toContain("PATCH");
  await unmount();
});

test("a recovery link that does not work leads to a new one, and the screen links to the login", async () => {
  answer(400, { code: "PASSWORD_RESET_FAILED", message: "This recovery link is no longer valid." });
  const { unmount, path } = await open();
  expect(find("a", "Login instead").getAttribute("href")).toBe("/login");
  expect(find("a", "Send a new one").getAttribute("href")).toBe("/recover");
  await type(document.querySelector("input"), "abcdef1!");
  await click(find("button", "Update"));
  find("p", "This recovery link is no longer valid.");
  await click(find("button", "Close"));
  expect(path()).toBe("/recover");
  await unmount();
});

test("success shows one message box, and its Close button leads to /login", async () => {
  const fetchMock = answer(200, successReply);
  const { unmount, path } = await open();
  await type(document.querySelector("input"), "abcdef1!");
  await click(find("button", "Update"));
  expect(document.querySelectorAll("[role=alertdialog]")).toHaveLength(1);
  find("p", "Changed.");
  await click(find("button", "Close"));
  expect(path()).toBe("/login");
  expect(methods(fetchMock)).toEqual(["GET", "PATCH"]);
  await unmount();
});

test("the screen lists the API keys that keep working and revokes them only on request", async () => {
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
    const fetchMock = vi.fn<typeof fetch>(async (_, options) =>
      Response.json(options?.method === "GET" ? { keys } : successReply),
    );
    vi.stubGlobal("fetch", fetchMock);
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
    const sent = fetchMock.mock.calls.find(([, options]) => options?.method === "PATCH")?.[1]?.body;
    expect(typeof sent === "string" && JSON.parse(sent)).toEqual({
      newPassword: "abcdef1!",
      ...(revokes ? { revokeKeys: true } : {}),
    });
    await unmount();
  }
});

test("without API keys the screen does not mention them", async () => {
  answer(200, successReply);
  const { host, unmount } = await open();
  expect(host.querySelector("fieldset")).toBeNull();
  await unmount();
});
