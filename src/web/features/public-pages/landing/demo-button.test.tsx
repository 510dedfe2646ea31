import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { answer } from "#web/testing/answer.ts";
import { eventually, find, render } from "#web/testing/render.tsx";
import { DemoButton } from "./demo-button.tsx";

afterEach(() => vi.unstubAllGlobals());

const press = () => act(async () => find("button", "Demo").closest("form")?.requestSubmit());

test("'Demo' signs in to the demo account and opens its dashboard", async () => {
  const fetchMock = answer(200, { code: "LOGIN_SUCCESS", message: "", token: "t" });
  const { unmount, path } = await render(<DemoButton />, "/");
  await press();
  await eventually(() => expect(path()).toBe("/dashboard"));
  expect(fetchMock.mock.calls.map(([url, init]) => [url, init?.method])).toEqual([
    ["/api/auth/demo", "POST"],
  ]);
  await unmount();
});

test("a demo that can't be opened says why", async () => {
  answer(503, { code: "BUSY", message: "The demo is full." });
  const { host, unmount, path } = await render(<DemoButton />, "/");
  await press();
  await eventually(() => expect(host.querySelector("[role=alert]")?.textContent).toBe("The demo is full."));
  expect(path()).toBe("/");
  await unmount();
});
