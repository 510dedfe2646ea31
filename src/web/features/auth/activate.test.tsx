import { StrictMode } from "react";
import { Route, Routes } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { answer } from "../../testing/answer.ts";
import { click, eventually, find, render } from "../../testing/render.tsx";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  sessionStorage.clear();
});

/** Imports the screen anew, as a page reload does. */
async function load(token: string) {
  vi.resetModules();
  const { Activate } = await import("./activate.tsx");
  return render(
    <StrictMode>
      <Routes>
        <Route path="/account/activate/:token" element={<Activate />} />
        <Route path="/login" element="login page" />
      </Routes>
    </StrictMode>,
    `/account/activate/${token}`,
  );
}

test("the screen activates the account once, shows the success and leads to /login", async () => {
  const fetchMock = answer(200, { code: "ACTIVATION_SUCCESS", message: "" });
  const { unmount, path } = await load("one");
  await eventually(() => find("output", "Finished"));
  await eventually(() => find("h2", "Account Activated"));
  find("p", "Your account has been successfully activated.");
  expect(fetchMock).toHaveBeenCalledTimes(1);
  await click(find("button", "Close"));
  expect(path()).toBe("/login");
  await unmount();
});

test("a reload shows the success again and does not use the token twice", async () => {
  const fetchMock = answer(200, { code: "ACTIVATION_SUCCESS", message: "" });
  const first = await load("two");
  await eventually(() => find("h2", "Account Activated"));
  await first.unmount();
  const { unmount } = await load("two");
  await eventually(() => find("h2", "Account Activated"));
  expect(fetchMock).toHaveBeenCalledTimes(1);
  await unmount();
});

test("a failed activation is tried again by reloading", async () => {
  const fetchMock = answer(400, { code: "ACTIVATION_FAILED", message: "This link is not valid any more." });
  const first = await load("three");
  await eventually(() => find("h2", "Activation Failed"));
  await first.unmount();
  const { unmount } = await load("three");
  await eventually(() => find("h2", "Activation Failed"));
  find(
    "p",
    "An error occurred while activating your account. Please try again later. This link is not valid any more.",
  );
  expect(fetchMock).toHaveBeenCalledTimes(2);
  await unmount();
});
