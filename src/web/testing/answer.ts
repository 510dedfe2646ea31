import { vi } from "vitest";

/** Stands in for the server: every call gets this answer. */
export function answer(status: number, body: unknown) {
  const fetching = vi.fn<typeof fetch>(async () => Response.json(body, { status }));
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

/** Stands in for a server that cannot be reached. */
export function unreachable() {
  const fetching = vi.fn<typeof fetch>(async () => {
    throw new TypeError("Failed to fetch");
  });
  vi.stubGlobal("fetch", fetching);
  return fetching;
}
