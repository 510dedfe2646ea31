import { expect, test } from "vitest";
import type { ContentKind } from "#contract/capture.ts";
import type { FetchResponse } from "#network/guarded-fetch.ts";
import { CdpError } from "../browser/devtools-protocol/cdp-error.ts";
import type { BrowserPool } from "../browser-pool.ts";
import { read } from "../reader.ts";
import { captureFile } from "./capture-file.ts";

/** A pool whose browser ends whenever a file is drawn. */
const endedPool = () => {
  const state = { tries: 0 };
  const withOfflineTab = () => {
    state.tries++;
    return Promise.reject(new CdpError("gone", "The browser ended"));
  };
  return { state, pool: { withOfflineTab } as unknown as BrowserPool };
};
const reader = { decode: async (input: Parameters<typeof read.decode>[0]) => read.decode(input) } as never;
const response = (type: string, text: string) =>
  ({
    url: "http://site.example/file",
    redirects: [],
    status: 200,
    headers: [["content-type", type]],
    body: Buffer.from(text),
    truncated: false,
    timing: {},
    tls: null,
  }) as unknown as FetchResponse;
const take = (pool: BrowserPool, kind: ContentKind, type: string, text: string) =>
  captureFile({ pool, reader }, response(type, text), "http://site.example/file", kind);

test("a text file is captured without a picture if no browser lives long enough to draw it", async () => {
  const { pool, state } = endedPool();
  const snapshot = await take(pool, "text", "text/plain", "Line one\nLine two\n");
  expect(snapshot.text.map(({ text }) => text)).toEqual(["Line one", "Line two"]);
  expect([snapshot.html, snapshot.picture]).toEqual(["Line one\nLine two\n", null]);
  expect(state.tries).toBe(2);
});

test.each([
  ["pdf", "application/pdf"],
  ["image", "image/png"],
] as const)("a file that only a browser can read fails without one (%s)", async (kind, type) => {
  const { pool, state } = endedPool();
  await expect(take(pool, kind, type, "…")).rejects.toThrow(CdpError);
  expect(state.tries).toBe(2);
});
