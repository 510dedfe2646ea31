import { afterEach, expect, test, vi } from "vitest";
import { answer, unreachable } from "../testing/answer.ts";
import { ApiError, call } from "./call.ts";

afterEach(() => vi.unstubAllGlobals());

test("fills the path's parameters so that no value can leave its segment", async () => {
  const fetching = answer(200, { code: "OK", message: "" });
  await call("GET /api/registration/activate/:token", { params: { token: "../me?x=1#y" } });
  expect(fetching).toHaveBeenCalledWith(
    "/api/registration/activate/..%2Fme%3Fx%3D1%23y",
    expect.objectContaining({ method: "GET" }),
  );
});

test("sends a body as JSON", async () => {
  const fetching = answer(200, { code: "OK", message: "" });
  await call("POST /api/recover", { body: { email: "a@b.example" } });
  expect(fetching).toHaveBeenCalledWith(
    "/api/recover",
    expect.objectContaining({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"email":"a@b.example"}',
    }),
  );
});

test("leaves a form's content type to the browser, which knows the boundary", async () => {
  const fetching = answer(200, { code: "OK", message: "" });
  const body = new FormData();
  await call("PUT /api/me/photo", { body });
  expect(fetching).toHaveBeenCalledWith("/api/me/photo", expect.objectContaining({ headers: {}, body }));
});

test("a refusal carries the server's status, code and sentence", async () => {
  answer(429, { code: "RATE_LIMITED", message: "Too many requests." });
  const error = await call("GET /api/me").catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 429, code: "RATE_LIMITED", message: "Too many requests." });
});

test("an answer that is not ours (a proxy's page) is a refusal without words", async () => {
  vi.stubGlobal(
    "fetch",
    async () =>
      new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } }),
  );
  await expect(call("GET /api/me")).rejects.toMatchObject({ status: 502, code: "UNKNOWN", message: "" });
});

test("no answer at all has its own code", async () => {
  unreachable();
  await expect(call("GET /api/me")).rejects.toMatchObject({ status: 0, code: "NETWORK", message: "" });
});
