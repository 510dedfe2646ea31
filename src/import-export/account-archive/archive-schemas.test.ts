import { expect, test } from "vitest";
import { z } from "zod";
import { compareViews } from "#checks/compare-views.ts";
import { toStoredCapture } from "#checks/stored-capture.ts";
import { Comparison, ExecutionDetail } from "#contract/job.ts";
import { Noise } from "#contract/noise.ts";
import { learnFromConfirmation } from "#detection/compare.ts";
import {
  addNoiseFeedback,
  emptyMemory,
  listLearned,
  type NoiseMemory,
} from "#detection/noise-memory/noise-memory.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { Snapshot } from "#detection/snapshot/snapshot.ts";
import { ArchivedExecution, Facts, Memory } from "./archive-schemas.ts";

const box = { x: 0, y: 0, width: 10, height: 10 };
/** A capture with every part that a capture can have. */
const capture: Required<Omit<Snapshot, "chosen" | "extracted">> = {
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
  consent: { rule: "Onetrust", action: "reject", result: "done", text: "We use cookies", version: "16.0.0" },
  via: "browser",
};
const factsOf = (snapshot: Snapshot) =>
  JSON.parse(Buffer.from(toStoredCapture(snapshot).facts).toString()) as object;

test("the facts that a capture writes are accepted unchanged", () => {
  expect(Facts.parse(factsOf(capture))).toEqual(factsOf(capture));
});

test.for<[string, object]>([
  ["a line break in its address", { finalUrl: "https://shop.example/\r\nWatchglass-Part: html" }],
  ["a line break in a header's name", { headers: [["a\r\n\r\nb", "c"]] }],
  ["a header without a name", { headers: [["", "c"]] }],
])("facts with %s are refused, because a web archive would hold lines that nobody captured", ([, forged]) => {
  expect(Facts.safeParse({ ...factsOf(capture), ...forged }).success).toBe(false);
});

type Shape = {
  type?: string;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown;
  const?: unknown;
  format?: string;
  pattern?: string;
  properties?: Record<string, Shape>;
  additionalProperties?: Shape;
  items?: Shape;
  prefixItems?: Shape[];
  anyOf?: Shape[];
};
/** All parts of a shape, each with the way to it. */
function* partsOf(shape: Shape, at: string): Generator<[at: string, part: Shape]> {
  yield [at, shape];
  const { properties = {}, additionalProperties: value, items, prefixItems = [], anyOf = [] } = shape;
  for (const [name, part] of Object.entries(properties)) yield* partsOf(part, `${at}.${name}`);
  if (typeof value === "object") yield* partsOf(value, `${at}.*`);
  if (items) yield* partsOf(items, `${at}[]`);
  for (const part of [...prefixItems, ...anyOf]) yield* partsOf(part, at);
}
// A verdict's texts are cut instead.
const boundedShapes = { facts: Facts, memory: Memory, record: ArchivedExecution.omit({ verdict: true }) };
const jsonSchemaOf = (shape: z.ZodType) =>
  z.toJSONSchema(shape, { io: "input", unrepresentable: "any" }) as Shape;

test.for(Object.entries(boundedShapes))(
  "every text and list of the %s of an archive is bounded",
  ([name, shape]) => {
    const parts = [...partsOf(jsonSchemaOf(shape), name)];
    const isFixed = ({ format, pattern = "" }: Shape) => format !== undefined || /\{1,\d+\}\$$/.test(pattern);
    const texts = parts.filter(
      ([, part]) => part.type === "string" && !part.enum && !part.const && !isFixed(part),
    );
    const lists = parts.filter(([, part]) => part.type === "array" && !part.prefixItems);
    expect(texts.filter(([, { maxLength = Infinity }]) => maxLength > 20_000_000)).toEqual([]);
    expect(lists.filter(([, { maxItems = Infinity }]) => maxItems > 200_000)).toEqual([]);
    expect(texts.length).toBeGreaterThan(5);
  },
);

/** The value with each of its maps in turn holding too many entries. */
function* overfull(shape: Shape, value: unknown, at: string): Generator<[at: string, value: unknown]> {
  for (const part of shape.anyOf ?? []) yield* overfull(part, value, at);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const { additionalProperties: entry, properties = {} } = shape;
  const [sample] = Object.values(value) as unknown[];
  if (typeof entry === "object")
    yield [at, Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`k${n}`, sample]))];
  for (const [name, part] of Object.entries(properties))
    for (const [where, other] of overfull(part, (value as Record<string, unknown>)[name], `${at}.${name}`))
      yield [where, { ...value, [name]: other }];
}

test("no map of an archive may have any number of entries", () => {
  const samples = {
    facts: factsOf(capture),
    memory: JSON.parse(JSON.stringify(fullMemory())) as object,
    record: { ...fullRecord, kept: { ...fullRecord.kept, followed: fullRecord.values } },
  };
  const accepted: string[] = [];
  let maps = 0;
  for (const [name, shape] of Object.entries(boundedShapes))
    for (const [at, value] of overfull(jsonSchemaOf(shape), samples[name as keyof typeof samples], name)) {
      maps++;
      if (shape.safeParse(value).success) accepted.push(at);
    }
  expect(accepted).toEqual([]);
  expect(maps).toBe(12);
});

test.for<[string, object]>([
  [
    "texts that are too long together",
    { text: Array(3).fill({ role: "other", area: "", text: "x".repeat(15_000_000) }) },
  ],
  ["too many boxes", { layout: { elements: 9, boxes: ";".repeat(500_001), texts: "" } }],
  ["too many boxes of text", { layout: { elements: 9, boxes: "", texts: ";".repeat(500_001) } }],
  ["a box that nobody can draw", { images: [{ src: "a", box: { ...box, x: 1e12 } }] }],
  ["a picture of a million pixels in height", { picture: { width: 10, height: 1_000_000 } }],
])("facts with %s are refused", ([, forged]) => {
  expect(Facts.safeParse({ ...factsOf(capture), ...forged }).success).toBe(false);
});

const hostileValues = [
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

/** The same facts with one field, at any depth, replaced by a hostile value or left out. */
function* mutations(source: unknown): Generator<unknown> {
  if (typeof source !== "object" || source === null) return;
  for (const [key, value] of Object.entries(source)) {
    const put = (other: unknown) =>
      Array.isArray(source) ? source.with(Number(key), other) : { ...source, [key]: other };
    for (const other of hostileValues) yield put(other);
    if (!Array.isArray(source))
      yield Object.fromEntries(Object.entries(source).filter(([name]) => name !== key));
    for (const part of mutations(value)) yield put(part);
  }
}

test("accepted facts can be compared with others, whatever values they contain", () => {
  const validCapture = { kept: toStoredCapture(capture) };
  let [accepted, refused] = [0, 0];
  for (const facts of mutations(factsOf(capture))) {
    const { data } = Facts.safeParse(facts);
    if (!data) {
      refused++;
      continue;
    }
    const isAfter = accepted++ % 2 === 0;
    const forged = { kept: { ...validCapture.kept, facts: Buffer.from(JSON.stringify(data)) } };
    const [before, after] = isAfter ? [validCapture, forged] : [forged, validCapture];
    compareViews({ before, after, memory: null, pictures: "same" });
  }
  expect(accepted).toBeGreaterThan(100);
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
const repeat = <T>(item: T) => Array(60_000).fill(item) as T[];
const longText = "x".repeat(3_000_000);
const entry = { place: longText, before: longText, after: longText, why: "learned", said: longText };
const box0 = { x: 1, y: 1, width: 1, height: 1 };

test.for<[string, object]>([
  ["many reasons", { reasons: repeat(verdict.reasons[0]) }],
  [
    "many changes",
    { reasons: [{ ...verdict.reasons[0], changes: repeat({ where: "", before: "a", after: "b" }) }] },
  ],
  [
    "long changes",
    {
      reasons: Array(3).fill({
        ...verdict.reasons[0],
        changes: [{ where: longText, before: longText, after: longText }],
      }),
    },
  ],
  ["many findings", { findings: repeat({ kind: "url", severity: "info", value: "x", where: "y" }) }],
  ["many lines", { hunks: [{ oldStart: 0, newStart: 0, removed: repeat("a"), added: [longText] }] }],
  ["many empty hunks", { hunks: repeat({ oldStart: 0, newStart: 0, removed: [], added: [] }) }],
  ["many regions", { regions: repeat({ kind: "added", old: null, new: box0, says: "x".repeat(2_000) }) }],
  ["long noise entries", { ignored: Array(3).fill(entry) }],
  ["many noise entries", { ignored: repeat({ ...entry, place: "", before: "", after: "", said: "" }) }],
  ["many frequent changes", { often: repeat({ place: "x", times: 1, folded: true, isNew: false }) }],
  ["many hidden boxes", { sights: { old: { only: repeat(box0), hidden: repeat(box0) }, new: null } }],
  ["long sentences", { untold: longText, summary: longText }],
  ["unknown fields", { unknown: longText, reasons: [{ ...verdict.reasons[0], unknown: longText }] }],
])("a verdict with %s is cut to what a check stores", ([, forged]) => {
  const parsed = ArchivedExecution.parse({ ...record, verdict: { ...verdict, ...forged } });
  expect(JSON.stringify(parsed.verdict).length).toBeLessThan(2_000_000);
});

test.for<[string, object]>([
  ["an unknown kind of reason", { verdict: { ...verdict, reasons: [{ ...verdict.reasons[0], kind: "x" }] } }],
  ["a long summary", { summary: longText }],
  ["a long log", { log: repeat({ at: record.createdAt, level: "info", meta: "x" }) }],
  ["a time in the future", { createdAt: "2999-01-01T00:00:00.000Z" }],
  ["too many values", { values: Object.fromEntries(repeat({ text: "1", number: 1 }).entries()) }],
  ["an impossible similarity", { similarity: 1e9 }],
])("an archived execution with %s is refused", ([, forged]) => {
  expect(ArchivedExecution.safeParse({ ...record, ...forged }).success).toBe(false);
});

const forgedFields = { stages: { wait: 1, capture: 2, confirm: 0, compare: 3, store: 4 } };
const fullRecord = {
  ...record,
  values: { price: { text: "5", number: 5 } },
  log: [{ at: record.createdAt, level: "info", meta: "Checked" }],
  kept: { comparedWith: id, failure: null, via: "browser", followed: null, ...forgedFields },
  verdict: {
    ...verdict,
    often: [{ place: "main", times: 3, folded: true, isNew: false }],
    findings: [{ kind: "url", severity: "info", value: "x", where: "y" }],
    hunks: [{ oldStart: 1, newStart: 1, removed: ["a"], added: ["b"] }],
    regions: [{ kind: "changed", old: box0, new: box0, at: { old: 1, new: null } }],
    sights: { old: { only: null, hidden: [box0] }, new: null },
    ignored: [{ place: "main", before: "a", after: null, why: "learned", since: record.createdAt, count: 1 }],
  },
};

test("whatever an accepted record contains, the calls that show it can answer", () => {
  const { verdict: shownVerdict, stages: shownStages, ...shownFields } = ExecutionDetail.shape;
  const { hunks, regions, sights } = Comparison.shape;
  let [accepted, refused] = [0, 0];
  for (const forged of mutations(fullRecord)) {
    const { data } = ArchivedExecution.safeParse(forged);
    if (!data) {
      refused++;
      continue;
    }
    accepted++;
    shownVerdict.parse(data.verdict);
    if (data.verdict) {
      hunks.parse(data.verdict.hunks);
      regions.parse(data.verdict.regions);
      sights.parse(data.verdict.sights);
    }
    const { stages } = data.kept ?? {};
    shownStages.parse(stages ? { ...stages, deliver: 0 } : null);
    for (const name of ["status_code", "similarity", "severity", "values", "durationMs", "attempts"] as const)
      shownFields[name].parse(data[name]);
  }
  expect(accepted).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(1_000);
});

/** A memory with everything that checks and users write into it. */
function fullMemory(): NoiseMemory {
  const page = (words: string) =>
    snapshotOf(`<main><p>One</p><p>${words}</p></main><aside>Ad ${words}</aside>`, "html", capture.url);
  const at = record.createdAt;
  const picture = { similarity: 99, regions: [{ kind: "changed", old: box, new: box }] } as never;
  const learned = learnFromConfirmation(page("4 left"), page("7 left"), emptyMemory(), picture, at);
  const marked = addNoiseFeedback(learned, [{ place: "main", before: "a", after: "b", frame: false }], at);
  return {
    ...marked,
    pieces: { k: { place: "main", sample: "s", flips: 2, last: 1, twin: true, since: at } },
    seen: { script: 1 },
    told: {
      main: {
        checks: [1, 2],
        shape: { minLength: 1, maxLength: 2, kinds: "l" },
        versions: ["k"],
        returns: [2],
      },
    },
    turns: { k: 1 },
    days: [{ day: "2026-11-18", captures: 1, checks: 2 }],
    partial: 1,
    waiting: ["nav"],
    answers: { main: "daily", nav: "noise" },
    kept: ["footer"],
    dates: { main: at, footer: at, nav: at },
    ownErrors: [404],
    idleRules: { k: 5 },
    toldStatus: 403,
  };
}

test("a noise memory is read with everything that checks write into it", () => {
  const memory = JSON.parse(JSON.stringify(fullMemory())) as NoiseMemory;
  expect(Object.keys(memory.slots)).not.toEqual([]);
  expect(memory.boxes).not.toEqual([]);
  expect(Memory.parse(memory)).toEqual(memory);
  // Replies show feedback by its id.
  expect(Memory.safeParse({ ...memory, said: { "No id": Object.values(memory.said)[0] } }).success).toBe(
    false,
  );
});

test("whatever an accepted noise memory contains, it can be shown, and captures can be compared with it", () => {
  const [before, after] = ["One", "Two"].map((words) =>
    toStoredCapture(snapshotOf(`<main><p>${words}</p></main>`, "html", capture.url)),
  );
  if (!before || !after) throw new Error("two captures");
  let [accepted, refused] = [0, 0];
  for (const forged of mutations(JSON.parse(JSON.stringify(fullMemory())))) {
    const { data } = Memory.safeParse(forged);
    if (!data) {
      refused++;
      continue;
    }
    const memory = data as NoiseMemory;
    Noise.shape.learned.parse(
      listLearned(memory).map(({ id: known = null, since = null, ...one }) => ({ id: known, since, ...one })),
    );
    for (const since of Object.values(memory.dates)) Noise.shape.kept.parse([{ place: "x", since }]);
    if (accepted++ % 4 === 0)
      compareViews({ before: { kept: before }, after: { kept: after }, memory, pictures: "same" });
  }
  expect(accepted).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(500);
});
