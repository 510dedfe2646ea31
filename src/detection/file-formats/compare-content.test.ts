import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import type { ContentKind } from "../snapshot/snapshot.ts";
import { compareContent, learnContentPair } from "./compare-content.ts";

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

test("summarizes the differences in words", () => {
  expect(summary("json", '{"a":{"b":1}}', '{"a":{"b":2}}')).toEqual(["a.b: 1 → 2"]);
  expect(summary("json", '{"a":1,"b":1}', '{"a":2,"c":1,"d":1}')).toEqual([
    "a: 1 → 2; b removed: 1; c added: 1; d added: 1",
  ]);
  expect(summary("json", '{"a":1}', '{"a":1,"b":2}')).toEqual(["b added: 2"]);
  expect(summary("text", "one\ntwo", "one\ntwo\nthree")).toEqual(["“three” added"]);
  expect(summary("javascript", "a();b()", "a();c()")).toEqual(["“b()” → “c()”"]);
  expect(summary("xml", "<a><b>1</b></a>", "<a><b>2</b></a>")).toEqual(["a.b: 1 → 2"]);
  expect(
    summary(
      "text",
      "Contact: mailto:a@a.example\nExpires: 2026-01-01T00:00:00Z",
      "Contact: mailto:a@a.example\nExpires: 2027-01-01T00:00:00Z",
      "https://a.example/.well-known/security.txt",
    ),
  ).toEqual(["Expires: 2026-01-01T00:00:00.000Z → 2027-01-01T00:00:00.000Z"]);
});

test("names an element of a list by its key, and what is important first", () => {
  const scope = (...names: string[]) =>
    JSON.stringify({ size: names.length, targets: names.map((id) => ({ id })) });
  expect(summary("json", scope("a", "b"), scope("a", "b", "c"))).toEqual([
    "“c” added to targets; size: 2 → 3",
  ]);
  expect(summary("json", '[{"id":"a"},{"id":"b"}]', '[{"id":"b"}]')).toEqual(["“a” removed"]);
});

test("compares by lines if a file doesn't parse as its kind", () => {
  expect(summary("json", "not json", "not JSON")).toEqual(["“not” json → JSON"]);
  expect(summary("javascript", "<h1>Not found</h1>", "<h1>not found</h1>")).toEqual(["“<h1>” Not → not"]);
});

test("compares content without text by its bytes", () => {
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

test("learns from a confirmation which value changes by itself, and reports a value that doesn't fit", () => {
  const json = (region: string, price = 10): string => `{"region":"${region}","price":${price}}`;
  const memory = learnContentPair(
    content("json", json("eu-1")),
    content("json", json("us-2")),
    emptyMemory(),
  );
  const next = (after: string) =>
    compareContent(content("json", json("us-2")), content("json", after), memory);
  expect(next(json("ap-3")).reasons).toEqual([]);
  expect(next(json("ap-3")).ignored).toMatchObject([{ place: "value region", why: "learned" }]);
  expect(next(json("ap-3", 11)).reasons).toMatchObject([{ summary: "price: 10 → 11" }]);
  expect(
    next(json("https://evil.example/ a very long text that was never there before")).reasons,
  ).toHaveLength(1);
});

test("finds nothing in identical content, and returns hunks for differences", () => {
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

test("summarizes a new feed entry by its title and link", () => {
  const rss = (...entries: string[]) =>
    `<rss><channel><title>News</title>${entries.join("")}</channel></rss>`;
  const entry = (n: number) => `<item><guid>${n}</guid><title>Title ${n}</title><link>/${n}</link></item>`;
  expect(summary("xml", rss(entry(1)), rss(entry(2), entry(1)))).toEqual(["New entry: Title 2"]);
  const atom = (...entries: string[]) =>
    `<feed xmlns="http://www.w3.org/2005/Atom">${entries.join("")}</feed>`;
  const post = (n: number) =>
    `<entry><id>urn:${n}</id><title type="html">Post ${n}</title><link rel="self" href="/self/${n}"/><link href="/post/${n}"/></entry>`;
  expect(summary("xml", atom(post(1)), atom(post(1), post(2)))).toEqual(["New entry: Post 2"]);
});

test("a changed security contact and a new scope entry are important", () => {
  const severity = (kind: ContentKind, before: string, after: string) =>
    compareContent(content(kind, before), content(kind, after), emptyMemory()).reasons[0]?.severity;
  const scope = (...names: string[]) =>
    JSON.stringify({
      name: "x",
      size: 1,
      kind: "y",
      targets: { in_scope: names.map((asset) => ({ asset })) },
    });
  expect(severity("json", scope("a", "b"), scope("a", "b", "c"))).toBe("important");
  expect(
    severity(
      "json",
      '{"a":{"target_size":1},"b":2,"c":3,"d":4}',
      '{"a":{"target_size":2},"b":2,"c":3,"d":4}',
    ),
  ).toBe("notice");
  const file = (contact: string) =>
    `Contact: mailto:${contact}@a.example\nPolicy: https://a.example/p\nCanonical: https://a.example/s\n`;
  expect(severity("text", file("a"), file("b"))).toBe("important");
});

test("a state that flips at every check is reported at every check", () => {
  const flips: [ContentKind, string, string][] = [
    ["json", '{"stock":"Out of stock","price":10}', '{"stock":"Available!","price":10}'],
    ["json", '{"seats":0}', '{"seats":4}'],
    ["json", '{"viewers":0}', '{"viewers":812}'],
    ["xml", "<a><v>1.0</v><w>x</w></a>", "<a><v>1.1</v><w>x</w></a>"],
    ["text", "name,stock\nlamp,no\nchair,yes", "name,stock\nlamp,yes\nchair,yes"],
    ["text", "one\ntwo", "one\nNew appointment on Monday\ntwo"],
    ["text", "Session: cancelled today 12:00", "Session: available today 12:00"],
  ];
  for (const [kind, one, other] of flips) {
    let memory = emptyMemory();
    for (let check = 0; check < 12; check++) {
      const [before, after] = check % 2 === 0 ? [one, other] : [other, one];
      const result = compareContent(content(kind, before), content(kind, after), memory);
      expect([kind, check, result.reasons.length]).toEqual([kind, check, 1]);
      memory = result.memory;
    }
  }
});

test("a change deep inside a long value is shown, and unprintable characters are replaced", () => {
  const long = (word: string) => `${"x ".repeat(5_000)}${word} ${"y ".repeat(5_000)}`;
  for (const kind of ["json", "text"] as const) {
    const wrap = (text: string) => (kind === "json" ? JSON.stringify({ a: text }) : text);
    const { reasons } = compareContent(
      content(kind, wrap(long("old"))),
      content(kind, wrap(long("new"))),
      emptyMemory(),
    );
    expect(reasons[0]?.summary).toMatch(/old.*→.*new/);
    expect(reasons[0]?.changes[0]?.before).toMatch(/^….{300,}old .*…$/);
    expect(JSON.stringify(reasons).length).toBeLessThan(8_000);
  }
  const { reasons } = compareContent(
    content("json", '{"a":"x"}'),
    content("json", '{"a":"\\u0000\\ud800"}'),
    emptyMemory(),
  );
  expect(reasons[0]?.changes[0]?.after).toBe("␀\ufffd");
});

test("differences in layout, order, comments or encoding are only listed", () => {
  const listed = (kind: ContentKind, before: string, after: string) => {
    const { reasons, ignored } = compareContent(content(kind, before), content(kind, after), emptyMemory());
    expect(reasons).toEqual([]);
    return ignored.map(({ place, why }) => `${place} ${why}`);
  };
  expect(listed("json", '{"a":1.0}', '{ "a": 1 }')).toEqual(["value layout markup"]);
  expect(listed("json", "[[1,2],[3,4]]", "[[2,1],[3,4]]")).toEqual(["value [0] order"]);
  expect(listed("text", "caf\u00e9 co\u00adop", "cafe\u0301 coop\n\n")).toEqual(["line layout markup"]);
  expect(
    listed("xml", "<a><!-- built in 3 s --><b>1</b></a>", "<a><!-- built by cron --><b>1</b></a>"),
  ).toEqual(["value #comment[0] hidden"]);
  const body = (...bytes: number[]) => ({ ...content("text", "a"), body: Uint8Array.from(bytes) });
  expect(compareContent(body(97), body(0xef, 0xbb, 0xbf, 97), emptyMemory()).ignored).toMatchObject([
    { place: "line encoding", why: "markup" },
  ]);
  const broken = (...bytes: number[]) => ({ ...content("text", "\ufffd"), body: Uint8Array.from(bytes) });
  expect(compareContent(broken(0xff), broken(0xfe), emptyMemory()).reasons).toHaveLength(1);
});

test("30,000 items are compared one by one, and the result stays small", () => {
  const list = (edit: (n: number) => number) =>
    JSON.stringify(Array.from({ length: 30_000 }, (_, n) => ({ id: n, price: edit(n) })));
  const one = compareContent(
    content(
      "json",
      list(() => 1),
    ),
    content(
      "json",
      list((n) => (n === 7 ? 2 : 1)),
    ),
    emptyMemory(),
  );
  expect(one.reasons).toMatchObject([{ summary: "[id=7].price: 1 → 2", count: 1 }]);
  const all = compareContent(
    content(
      "json",
      list(() => 1),
    ),
    content(
      "json",
      list(() => 2),
    ),
    emptyMemory(),
  );
  expect(all.reasons).toMatchObject([{ count: 30_000 }]);
  expect(JSON.stringify([all.reasons, all.memory]).length).toBeLessThan(500_000);
});

type Tree = string | Tree[] | { [key: string]: Tree };
const tree = fc.letrec<{ tree: Tree; leaf: string }>((tie) => ({
  leaf: fc.integer({ min: 100, max: 180 }).map((n) => `w${n}`),
  tree: fc.oneof(
    { maxDepth: 3 },
    tie("leaf"),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("id", "name", "a", "b", "c"), tie("tree"), { maxKeys: 4 }),
  ),
})).tree;
const asXml = (value: Tree, tag = "r"): string => {
  if (typeof value === "string") return `<${tag}>${value}</${tag}>`;
  if (Array.isArray(value)) return `<${tag}>${value.map((item) => asXml(item, "item")).join("")}</${tag}>`;
  return `<${tag}>${Object.entries(value)
    .map(([key, item]) => asXml(item, key))
    .join("")}</${tag}>`;
};
const asLines = (value: Tree): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/[[\]{},]/g, "")
    .replaceAll(/\n\s*\n/g, "\n");

test.each([
  ["json", JSON.stringify],
  ["xml", asXml],
  ["text", asLines],
] as const)("every word of %s that only one side has is reported or listed", (kind, print) => {
  fc.assert(
    fc.property(tree, tree, (one, other) => {
      const [a, b] = [print(one), print(other)];
      const { reasons, ignored } = compareContent(content(kind, a), content(kind, b), emptyMemory());
      const reportedText = (side: "before" | "after") =>
        [...reasons.flatMap(({ changes }) => changes), ...ignored].map((entry) => entry[side]).join(" ");
      const wordsOf = (text: string) => text.match(/w\d+/g) ?? [];
      const [old, now] = [reportedText("before"), reportedText("after")];
      // A replaced value is reported by its old and new content; its path says the rest.
      expect(wordsOf(a).filter((word) => !b.includes(word) && !old.includes(word))).toEqual([]);
      expect(wordsOf(b).filter((word) => !a.includes(word) && !now.includes(word))).toEqual([]);
      expect(a === b || reasons.length + ignored.length > 0).toBe(true);
      expect(reasons.every(({ count, changes }) => count === changes.length)).toBe(true);
    }),
    { numRuns: 400 },
  );
});
