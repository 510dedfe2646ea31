import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { find, render } from "../../testing/render.tsx";
import { Login } from "./login.tsx";

afterEach(() => vi.unstubAllGlobals());

test("clicks and submits are ignored while a login is in progress", async () => {
  let finish: (response: Response) => void = () => {};
  const fetchMock = vi.fn<typeof fetch>(() => new Promise<Response>((resolve) => (finish = resolve)));
  vi.stubGlobal("fetch", fetchMock);
  const { unmount, path } = await render(<Login />, "/login");
  const button = find("button", "Login");
  await act(async () => {
    button.click();
    button.click();
  });
  await act(async () => {
    button.click();
    document.querySelector("form")?.requestSubmit();
  });
  expect(fetchMock).toHaveBeenCalledTimes(1);
  expect(button.getAttribute("aria-busy")).toBe("true");
  await act(async () => finish(Response.json({ code: "LOGIN_SUCCESS", message: "", token: "t" })));
  expect(path()).toBe("/dashboard");
  await unmount();
});
