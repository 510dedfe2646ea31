import { expect, test } from "vitest";
import { compareContent, learnContentTwin } from "./compare-content.ts";
import { emptyMemory } from "./noise-memory.ts";
import type { ContentKind } from "./snapshot.ts";

const content = (kind: ContentKind, html: string, finalUrl = "https://a.example/") => ({
  kind,
  html,
  finalUrl,
  body: new TextEncoder().encode(html),
});
const summary = (kind: ContentKind, before: string, after: string, url?: string): string[] =>
  compareContent(content(kind, before, url), content(kind, after, url), emptyMemory()).reasons.map(
    (r) => r.summary,
  );

test("says in words what differs", () => {
  expect(summary("json", '{"a":{"b":1}}', '{"a":{"b":2}}')).toEqual(["a.b changed"]);
  expect(summary("json", '{"a":1,"b":1}', '{"a":2,"c":1,"d":1}')).toEqual([
    "1 value changed, 2 added, 1 removed",
  ]);
  expect(summary("text", "one\ntwo", "one\ntwo\nthree")).toEqual(["1 line added"]);
  expect(summary("javascript", "a();b()", "a();c()")).toEqual(["1 statement changed"]);
  expect(summary("xml", "<a><b>1</b></a>", "<a><b>2</b></a>")).toEqual(["a.b changed"]);
  expect(
    summary(
      "text",
      "Contact: mailto:a@a.example\nExpires: 2026-01-01T00:00:00Z",
      "Contact: mailto:a@a.example\nExpires: 2027-01-01T00:00:00Z",
      "https://a.example/.well-known/security.txt",
    ),
  ).toEqual(["Expires changed"]);
});

test("falls back on lines when a file is not what it is called", () => {
  expect(summary("json", "not json", "not JSON")).toEqual(["1 line changed"]);
  expect(summary("javascript", "<h1>Not found</h1>", "<h1>not found</h1>")).toEqual(["1 line changed"]);
});

test("compares what has no text by its bytes", () => {
  const bytes = (...body: number[]) => ({ ...content("other", ""), body: Uint8Array.from(body) });
  expect(compareContent(bytes(1, 2), bytes(1, 2), emptyMemory()).reasons).toEqual([]);
  expect(compareContent(bytes(1, 2), bytes(1, 3, 4), emptyMemory()).reasons).toMatchObject([
    { kind: "content", changes: [{ before: "2 bytes", after: "3 bytes" }] },
  ]);
  const image = { ...bytes(1), kind: "image" as const };
  expect(compareContent(image, { ...image, body: Uint8Array.of(2) }, emptyMemory(), true).reasons).toEqual(
    [],
  );
});

test("learns from a twin which value changes by itself, and still tells when it no longer fits", () => {
  const json = (region: string, price = 10): string => `{"region":"${region}","price":${price}}`;
  const memory = learnContentTwin(
    content("json", json("eu-1")),
    content("json", json("us-2")),
    emptyMemory(),
  );
  const next = (after: string) =>
    compareContent(content("json", json("us-2")), content("json", after), memory);
  expect(next(json("ap-3")).reasons).toEqual([]);
  expect(next(json("ap-3")).ignored).toMatchObject([{ place: "value region", why: "learned" }]);
  expect(next(json("ap-3", 11)).reasons).toMatchObject([{ summary: "price changed" }]);
  expect(
    next(json("https://evil.example/ a very long text that was never there before")).reasons,
  ).toHaveLength(1);
});

test("finds nothing in content compared with itself, and gives hunks for what differs", () => {
  for (const kind of ["json", "xml", "javascript", "text", "pdf", "other", "image"] as const) {
    expect(compareContent(content(kind, "[1]"), content(kind, "[1]"), emptyMemory())).toMatchObject({
      reasons: [],
      similarity: 100,
      hunks: [],
    });
  }
  expect(
    compareContent(content("json", '{"b":1,"a":1}'), content("json", '{"a":2,"b":1}'), emptyMemory()).hunks,
  ).toEqual([{ oldStart: 1, newStart: 1, removed: ['  "a": 1,'], added: ['  "a": 2,'] }]);
});
