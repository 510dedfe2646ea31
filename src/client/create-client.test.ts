import { expect, test } from "vitest";
import { type CallRequest, createClient } from "./create-client.ts";

function clientFor(response: () => Response | Promise<Response>) {
  const requests: CallRequest[] = [];
  const client = createClient(async (request) => {
    requests.push(request);
    return response();
  });
  return { ...client, requests };
}

test("a call fills the path, encodes the query and leaves out what is undefined", async () => {
  const { call, requests } = clientFor(() => Response.json({ executions: [], nextCursor: null }));
  await call("GET /api/jobs/:jobId/executions", {
    params: { jobId: "a/b" },
    query: { limit: 5, cursor: undefined },
  });
  expect(requests).toEqual([
    { method: "GET", path: "/api/jobs/a%2Fb/executions?limit=5", headers: {}, body: undefined },
  ]);
});

test("a body is sent as JSON, a form as it is", async () => {
  const { call, stream, requests } = clientFor(() => Response.json({}));
  await call("POST /api/jobs/groups", { body: { name: "News" } });
  const form = new FormData();
  await stream("POST /api/import/progress", { body: form, query: { dryRun: "true" } });
  expect(requests[0]).toMatchObject({
    headers: { "content-type": "application/json" },
    body: '{"name":"News"}',
  });
  expect(requests[1]).toMatchObject({ headers: {}, body: form });
});

test("a stream is returned unread", async () => {
  const { stream } = clientFor(() => new Response("data: {}\n\n"));
  const response = await stream("GET /api/events");
  expect(response.bodyUsed).toBe(false);
});

test("a refusal has the server's code, message and field, for calls and streams alike", async () => {
  const refusal = { code: "INVALID_INPUT", message: "No such URL.", field: "url" };
  const { call, stream } = clientFor(() => Response.json(refusal, { status: 400 }));
  const expected = { name: "CallError", status: 400, ...refusal };
  await expect(call("GET /api/me")).rejects.toMatchObject(expected);
  await expect(stream("GET /api/events")).rejects.toMatchObject(expected);
});

test("a response that is not from the API is reported as such, even a successful one", async () => {
  for (const status of [200, 502]) {
    const { call } = clientFor(() => new Response("<h1>Hello</h1>", { status }));
    await expect(call("GET /api/me")).rejects.toMatchObject({
      status,
      code: "UNKNOWN",
      message: `The server answered ${status}, but it doesn’t seem to be Watchglass.`,
    });
  }
});

test("a call that is aborted while its reply arrives fails as aborted, not as a reply from elsewhere", async () => {
  const abort = new AbortController();
  const { call } = clientFor(
    () =>
      new Response(
        new ReadableStream({
          pull(body) {
            abort.abort();
            body.error(abort.signal.reason);
          },
        }),
      ),
  );
  await expect(call("GET /api/me", undefined, { signal: abort.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});
