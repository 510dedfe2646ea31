import { expect, test } from "vitest";
import { canCheckByHttp, conditions, type Evidence, needsScript, validatorOf } from "./http-evidence.ts";

const evidence: Evidence = {
  requestSha256: "",
  kind: "html",
  validator: '"v1"',
  bodySha256: "",
  needsScript: false,
  checksByHttp: 0,
  finalUrl: "https://example.com/",
  hasPassword: false,
};
const block = (text: string, role: "paragraph" | "control" = "paragraph") => ({ role, area: "", text });

test("needsScript finds text that the HTML does not contain", () => {
  const html =
    "<title>T</title><h1>Hello &amp; welcome</h1><p>One <b>two</b>\n three</p><script>'Written'</script>";
  expect(needsScript(html, [block("Hello & welcome"), block("One two three")])).toBe(false);
  expect(needsScript(html, [block("One two three"), block("Hello & welcome")])).toBe(false);
  expect(needsScript(html, [block("Hello & welcome"), block("Written")])).toBe(true);
  expect(needsScript(html, [block("T")])).toBe(true);
  expect(needsScript(html, [block("placeholder", "control")])).toBe(false);
  expect(needsScript("", [])).toBe(false);
});

test("needsScript stays linear on a page whose blocks are in reverse order", () => {
  const words = Array.from({ length: 20_000 }, (_, i) => `word${i}`);
  const html = words.map((word) => `<p>${word}</p>`).join("");
  expect(
    needsScript(
      html,
      words.toReversed().map((word) => block(word)),
    ),
  ).toBe(true);
});

test("plain HTTP is enough only for a page that needs no script, and for nine checks at most", () => {
  expect(canCheckByHttp(evidence)).toBe(true);
  expect(canCheckByHttp({ ...evidence, needsScript: true })).toBe(false);
  expect(canCheckByHttp({ ...evidence, validator: null })).toBe(false);
  expect(canCheckByHttp({ ...evidence, checksByHttp: 9 })).toBe(false);
  expect(canCheckByHttp({ ...evidence, kind: "json", validator: null, checksByHttp: 99 })).toBe(true);
});

test("validators become conditional request headers", () => {
  const headers: [string, string][] = [
    ["last-modified", "Sun, 15 Nov 2026 10:00:00 GMT"],
    ["etag", 'W/"x"'],
  ];
  expect(validatorOf(headers)).toBe('W/"x"');
  expect(validatorOf([])).toBeNull();
  expect(conditions({ ...evidence, validator: 'W/"x"' })).toEqual([["if-none-match", 'W/"x"']]);
  const date = "Sun, 15 Nov 2026 10:00:00 GMT";
  expect(conditions({ ...evidence, validator: date })).toEqual([["if-modified-since", date]]);
  expect(conditions({ ...evidence, validator: null })).toEqual([]);
});

// A search for each whole block at every position would never finish.
test("needsScript stays linear on a page of one repeated letter", () => {
  const half = 2_000_000;
  const html = `<p>${"a".repeat(2 * half)}</p>`;
  const blocks = Array.from({ length: 50 }, (_, i) => block(`${"a".repeat(half + i)}b`));
  expect(needsScript(html, blocks)).toBe(true);
});
