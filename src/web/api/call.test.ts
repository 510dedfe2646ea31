import { afterEach, expect, test, vi } from "vitest";
import { answer, unreachable } from "../testing/answer.ts";
import { CallError, call } from "./call.ts";

afterEach(() => vi.unstubAllGlobals());

test("call fills the path's parameters so that no value can leave its segment", async () => {
  const fetchMock = answer(200, { code: "OK", message: "" });
  await call("GET /api/registration/activate/:token", { params: { token: "../me?x=1#y" } });
  expect(fetchMock).toHaveBeenCalledWith(
    "/api/registration/activate/..%2Fme%3Fx%3D1%23y",
    expect.objectContaining({ method: "GET" }),
  );
});

test("call sends a body as JSON", async () => {
  const fetchMock = answer(200, { code: "OK", message: "" });
  await call("POST /api/recover", { body: { email: "a@b.example" } });
  expect(fetchMock).toHaveBeenCalledWith(
    "/api/recover",
    expect.objectContaining({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"email":"a@b.example"}',
    }),
  );
});

test("call leaves a form's content type to the browser, which knows the boundary", async () => {
  const fetchMock = answer(200, { code: "OK", message: "" });
  const body = new FormData();
  await call("PUT /api/me/photo", { body });
  expect(fetchMock).toHaveBeenCalledWith("/api/me/photo", expect.objectContaining({ headers: {}, body }));
});

test("a refusal has the server's status, code and message", async () => {
  answer(429, { code: "RATE_LIMITED", message: "Too many requests." });
  const error = await call("GET /api/me").catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ status: 429, code: "RATE_LIMITED", message: "Too many requests." });
});

test("a response that is not ours (a proxy's page) is a refusal without a message", async () => {
  vi.stubGlobal(
    "fetch",
    async () =>
      new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } }),
  );
  await expect(call("GET /api/me")).rejects.toMatchObject({ status: 502, code: "UNKNOWN", message: "" });
});

test("a server that cannot be reached has its own error code", async () => {
  unreachable();
  await expect(call("GET /api/me")).rejects.toMatchObject({ status: 0, code: "NETWORK", message: "" });
});

test("an aborted call is not reported as a lost connection", async () => {
  const abort = new AbortController();
  abort.abort();
  vi.stubGlobal("fetch", (_path: string, { signal }: RequestInit) => Promise.reject(signal?.reason));
  const calling = call("GET /api/me", undefined, { signal: abort.signal });
  await expect(calling).rejects.toBe(abort.signal.reason);
});
