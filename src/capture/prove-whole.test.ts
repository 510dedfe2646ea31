import { expect, test } from "vitest";
import type { FetchResult } from "#network/guarded-fetch.ts";
import { isUnproven, provesCut } from "./prove-whole.ts";

const page = (finalUrl: string, coding?: string, via: "browser" | "http" = "browser") => ({
  finalUrl,
  via,
  headers: coding === undefined ? [] : [["content-encoding", coding] as [string, string]],
});

test("only a coded document that a browser took behind TLS is unproven", () => {
  expect(isUnproven(page("https://a.example/", "br"))).toBe(true);
  expect(isUnproven(page("https://a.example/"))).toBe(false);
  expect(isUnproven(page("https://a.example/", "identity"))).toBe(false);
  expect(isUnproven(page("http://a.example/", "gzip"))).toBe(false);
  expect(isUnproven(page("https://a.example/", "gzip", "http"))).toBe(false);
});

test("a cut transfer, or a whole one that goes on from it, proves that a document was cut", () => {
  const answer = (text: string) =>
    ({ ok: true, response: { body: Buffer.from(text) } }) as unknown as FetchResult;
  const seen = { body: Buffer.from("<h1>Half") };
  expect(provesCut(seen, { ok: false, failure: { kind: "cut" } })).toBe(true);
  expect(provesCut(seen, { ok: false, failure: { kind: "refused" } })).toBe(false);
  expect(provesCut(seen, answer("<h1>Half</h1>"))).toBe(true);
  expect(provesCut(seen, answer("<h1>Half"))).toBe(false);
  expect(provesCut(seen, answer("<h1>Other page</h1>"))).toBe(false);
  expect(provesCut(seen, answer("<h1>"))).toBe(false);
});
