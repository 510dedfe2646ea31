import { expect, test } from "vitest";
import type { FetchResult } from "#network/guarded-fetch.ts";
import { mayBeCut, provesDocumentCut } from "./detect-cut-document.ts";

const page = (finalUrl: string, coding?: string, via: "browser" | "http" = "browser") => ({
  finalUrl,
  via,
  headers: coding === undefined ? [] : [["content-encoding", coding] as [string, string]],
});

test("only a compressed document that a browser loaded over TLS may be cut unnoticed", () => {
  expect(mayBeCut(page("https://a.example/", "br"))).toBe(true);
  expect(mayBeCut(page("https://a.example/"))).toBe(false);
  expect(mayBeCut(page("https://a.example/", "identity"))).toBe(false);
  expect(mayBeCut(page("http://a.example/", "gzip"))).toBe(false);
  expect(mayBeCut(page("https://a.example/", "gzip", "http"))).toBe(false);
});

test("a second transfer that is cut, or longer than the document, proves that the document was cut", () => {
  const answer = (text: string) =>
    ({ ok: true, response: { body: Buffer.from(text) } }) as unknown as FetchResult;
  const captured = { body: Buffer.from("<h1>Half") };
  expect(provesDocumentCut(captured, { ok: false, failure: { kind: "cut" } })).toBe(true);
  expect(provesDocumentCut(captured, { ok: false, failure: { kind: "refused" } })).toBe(false);
  expect(provesDocumentCut(captured, answer("<h1>Half</h1>"))).toBe(true);
  expect(provesDocumentCut(captured, answer("<h1>Half"))).toBe(false);
  expect(provesDocumentCut(captured, answer("<h1>Other page</h1>"))).toBe(false);
  expect(provesDocumentCut(captured, answer("<h1>"))).toBe(false);
});
