import { expect, test } from "vitest";
import { compareViews } from "#checks/compare-views.ts";
import { toKept } from "#checks/kept-view.ts";
import type { Snapshot } from "#detection/snapshot.ts";
import { snapshotOf } from "#detection/snapshot-of.ts";
import { Facts, PastExecution } from "./past-shapes.ts";

const box = { x: 0, y: 0, width: 10, height: 10 };
/** A capture in which nothing is left out that a capture can have. */
const capture: Snapshot = {
  ...snapshotOf(
    '<main><p>One</p><p>Two</p><form action="/a"><input name="b"></form><a href="/c">c</a></main>',
    "html",
    "https://shop.example/",
  ),
  redirects: [{ url: "https://shop.example/old", status: 301 }],
  headers: [
    ["content-type", "text/html"],
    ["server", "x"],
  ],
  protocol: "h2",
  tls: { issuer: "CA", expiresAt: "2030-01-01T00:00:00Z" },
  timing: { total: 12.5 },
  contentType: "text/html",
  text: [{ role: "paragraph", area: "main", text: "One" }],
  title: "Shop",
  links: [{ href: "https://shop.example/c", text: "c" }],
  forms: [{ action: "/a", method: "get", inputs: [{ name: "b", type: "text" }] }],
  scripts: [{ src: "https://shop.example/a.js", sha256: "00" }],
  thirdPartyHosts: ["cdn.example"],
  cookies: [{ name: "a", domain: "shop.example", secure: true, httpOnly: true, sameSite: "Lax" }],
  consoleErrors: ["no"],
  images: [{ src: "https://shop.example/a.png", box }],
  blocked: [{ url: "http://10.0.0.1/", reason: "refused" }],
  rendered: { elements: 9, hidden: [2], cloaked: [3], shown: [4], written: [{ at: 1, before: "→" }] },
  layout: { elements: 9, boxes: "1,1,a,a;-;,5", texts: "2,1,1,a,a" },
  via: "browser",
};
const factsOf = (snapshot: Snapshot) => JSON.parse(Buffer.from(toKept(snapshot).facts).toString()) as object;

test("what a capture writes is taken as it is", () => {
  expect(Facts.parse(factsOf(capture))).toEqual(factsOf(capture));
});

const hostile = [
  null,
  0,
  -1,
  1.5,
  1e300,
  "",
  "x",
  "\ud800",
  "http://[",
  "javascript:1",
  "zzzzzzzzzzzzzzzz,z",
  "--;-;,,,,,,",
  true,
  [],
  [null],
  [[]],
  ["x"],
  [-1],
  [1e9],
  [2 ** 53],
  {},
  { length: 5 },
  JSON.parse('{"__proto__":1,"constructor":1,"toString":1}'),
];

/** The same facts with one place, however deep, filled with something else or left out. */
function* spoiled(given: unknown): Generator<unknown> {
  if (typeof given !== "object" || given === null) return;
  for (const [key, value] of Object.entries(given)) {
    const put = (other: unknown) =>
      Array.isArray(given) ? given.with(Number(key), other) : { ...given, [key]: other };
    for (const other of hostile) yield put(other);
    if (!Array.isArray(given))
      yield Object.fromEntries(Object.entries(given).filter(([name]) => name !== key));
    for (const part of spoiled(value)) yield put(part);
  }
}

test("facts that are taken can be compared with any others, whatever was put into them", () => {
  const sound = { kept: toKept(capture) };
  let [taken, refused] = [0, 0];
  for (const facts of spoiled(factsOf(capture))) {
    const { data } = Facts.safeParse(facts);
    if (!data) {
      refused++;
      continue;
    }
    const isAfter = taken++ % 2 === 0;
    const forged = { kept: { ...sound.kept, facts: Buffer.from(JSON.stringify(data)) } };
    const [before, after] = isAfter ? [sound, forged] : [forged, sound];
    compareViews({ before, after, memory: null, pictures: "same" });
  }
  expect(taken).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(1_000);
});

const verdict = {
  changed: true,
  similarity: 90,
  severity: "notice",
  summary: "Text",
  reasons: [
    {
      kind: "text",
      severity: "notice",
      summary: "Text",
      count: 1,
      changes: [{ where: "", before: null, after: "b" }],
    },
  ],
  findings: [],
  hunks: [],
  regions: [],
  ignored: [],
  ignoredCount: 0,
};
const id = "00000000-0000-4000-8000-000000000000";
const record = {
  id,
  jobId: id,
  index: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  status_code: 200,
  changed: true,
  folded: false,
  untold: null,
  values: null,
  similarity: 90,
  severity: "notice",
  summary: "Text",
  error: null,
  truncated: false,
  hasImage: false,
  durationMs: 5,
  attempts: 1,
  verdict,
  log: [],
};
const many = <T>(one: T) => Array(60_000).fill(one) as T[];
const long = "x".repeat(3_000_000);
const entry = { place: long, before: long, after: long, why: "learned", said: long };
const box0 = { x: 1, y: 1, width: 1, height: 1 };

test.for<[string, object]>([
  ["reasons", { reasons: many(verdict.reasons[0]) }],
  [
    "changes",
    { reasons: [{ ...verdict.reasons[0], changes: many({ where: "", before: "a", after: "b" }) }] },
  ],
  [
    "long changes",
    {
      reasons: Array(3).fill({
        ...verdict.reasons[0],
        changes: [{ where: long, before: long, after: long }],
      }),
    },
  ],
  ["findings", { findings: many({ kind: "url", severity: "info", value: "x", where: "y" }) }],
  ["lines", { hunks: [{ oldStart: 0, newStart: 0, removed: many("a"), added: [long] }] }],
  ["empty hunks", { hunks: many({ oldStart: 0, newStart: 0, removed: [], added: [] }) }],
  ["regions", { regions: many({ kind: "added", old: null, new: box0, says: "x".repeat(2_000) }) }],
  ["noise", { ignored: Array(3).fill(entry) }],
  ["much noise", { ignored: many({ ...entry, place: "", before: "", after: "", said: "" }) }],
  ["frequent places", { often: many({ place: "x", times: 1, folded: true, isNew: false }) }],
  ["hidden boxes", { sights: { old: { only: many(box0), hidden: many(box0) }, new: null } }],
  ["a long sentence", { untold: long, summary: long }],
  ["what nobody knows", { unknown: long, reasons: [{ ...verdict.reasons[0], unknown: long }] }],
])("a verdict of any number of %s is cut to what a check stores", ([, forged]) => {
  const parsed = PastExecution.parse({ ...record, verdict: { ...verdict, ...forged } });
  expect(JSON.stringify(parsed.verdict).length).toBeLessThan(2_000_000);
});

test.for<[string, object]>([
  [
    "a kind of reason that there is none of",
    { verdict: { ...verdict, reasons: [{ ...verdict.reasons[0], kind: "x" }] } },
  ],
  ["a long summary", { summary: long }],
  ["a long log", { log: many({ at: record.createdAt, level: "info", meta: "x" }) }],
  ["a time that is to come", { createdAt: "2999-01-01T00:00:00.000Z" }],
  ["many values", { values: Object.fromEntries(many({ text: "1", number: 1 }).entries()) }],
  ["a similarity of no page", { similarity: 1e9 }],
])("a record with %s is none", ([, forged]) => {
  expect(PastExecution.safeParse({ ...record, ...forged }).success).toBe(false);
});
