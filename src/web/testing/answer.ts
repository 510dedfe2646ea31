import { vi } from "vitest";

/** Replaces `fetch`: every call gets this response. */
export function answer(status: number, body: unknown) {
  const fetchMock = vi.fn<typeof fetch>(async () => Response.json(body, { status }));
  vi.stubGlobal("fetch", fetchMock);
  return fetchMock;
}

/** Replaces `fetch` by one that cannot reach the server. */
export function unreachable() {
  const fetchMock = vi.fn<typeof fetch>(async () => {
    throw new TypeError("Failed to fetch");
  });
  vi.stubGlobal("fetch", fetchMock);
  return fetchMock;
}
