import type { z } from "zod";
import { routes } from "#contract/routes.ts";

const strings = [
  "",
  "\0",
  "a\0b",
  "\ud800",
  "\u202e\u0000\uffff",
  "x".repeat(100_000),
  "9999-12-31T23:59:59.999Z",
  "-271821-04-20T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "00000000-0000-4000-8000-000000000000",
  "../../etc/passwd",
  "%00",
  "' or 1=1 --",
  "/(a+)+$/",
  "[",
  ":has(:has(:has(*)))",
  "*".repeat(500),
  "http://[::1]:99999/",
  "https://example.com/\ud800",
  "javascript:alert(1)",
  "__proto__",
  "NaN",
  "1e309",
  "{{job.name}}{{".repeat(50),
];
const others = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  0.5,
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":1,"constructor":1}'),
];
const lists = [["\0"], ["\ud800", "a"], Array.from({ length: 1_000 }, (_, i) => `s${i}`), [null]];

const inPath = strings.filter((text) => text.length < 100).slice(0, 12);
type Fields = Record<string, z.ZodType>;

/** The fields of an object however deep its schema wraps it. */
function fieldsOf(schema: unknown): Fields {
  const given = schema as {
    shape?: Fields;
    def?: { innerType?: unknown; in?: unknown; options?: unknown[] };
  };
  if (given?.shape) return given.shape;
  const { innerType, in: input, options = [] } = given?.def ?? {};
  return Object.assign({}, ...[innerType, input, ...options].filter(Boolean).map(fieldsOf));
}

type Body = Record<string, unknown>;

/** Bodies with one hostile value each, beside what else the call needs; fields within fields too. */
function* spoiled(schema: unknown, whole: Body): Generator<Body> {
  for (const [name, field] of Object.entries(fieldsOf(schema))) {
    for (const value of [...strings, ...others, ...lists]) yield { ...whole, [name]: value };
    const inner = fieldsOf(field);
    if (Object.keys(inner).length === 0) continue;
    const held = (whole[name] ?? {}) as Body;
    for (const part of spoiled(field, held)) yield { ...whole, [name]: part };
  }
}

/** What a walk needs of the account that it walks through. */
export type Walked = { groupId: string; jobId: string; executionId: string; before: string };

// What takes away what the others need comes last; a live stream has no answer to wait for.
const last = ["deleteJob", "deleteGroup", "logout", "deleteMe"];
const unwalked = ["events"];

/** Bodies with which the calls that need some succeed, and what their paths are filled with. */
function soundCalls({ groupId, jobId, executionId, before }: Walked) {
  const sound: Record<string, Body> = {
    createJob: { url: "http://127.0.0.1:8080/x", frequency: 60, groupId },
    updateJob: {},
    createGroup: { name: "Another" },
    createShare: { executionId, fromId: before },
    compare: { from: before, to: executionId },
    register: { firstname: "A", surname: "B", email: "walk@example.com", password: "correct1!" },
    login: { email: "walk@example.com", password: "wrong1!" },
  };
  const ids = { jobId, executionId, groupId, side: "after", planId: "ultimate", status: "active" };
  const fillPath = (path: string, given: Record<string, string> = ids) =>
    path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent((given[key] ?? "x").toWellFormed()));
  return { sound, ids, fillPath };
}

/** What time a pattern, a parser or a template may take more of than it is long. */
const pieces = [
  "a",
  " ",
  "\\",
  "(",
  "[",
  "{{",
  " #",
  "*,",
  "* ",
  "//*[",
  "a|",
  "$..",
  "a=1&",
  "\u2028",
  "a.",
  "/*",
];

/** Rules: how one begins, and what follows again and again. */
const rules: [start: string, piece: string][] = [
  ["xpath://*", "[*"],
  ["xpath:", "//*|"],
  ["xpath:", "("],
  ["jsonpath:$", "..*"],
  ["jsonpath:$", "[?@.a]"],
  ["/", "(a|"],
  ["/", "a{99}"],
  ["/", "\\p{L}"],
  ["", ":not("],
  ["", "a > "],
];
const takesRules = /selector|ignore|strings|rule$|text$/;

export type Growing = {
  name: string;
  method: string;
  url: string;
  input: string;
  bodyOf: (size: number) => unknown;
};

/** Every call that takes a body, with each of its fields as a text or a list that can be of any size. */
export function* growHostile(walked: Walked): Generator<Growing> {
  const { sound, fillPath } = soundCalls(walked);
  for (const name of Object.keys(routes).filter((one) => !last.includes(one)) as (keyof typeof routes)[]) {
    const { method, path, body }: { method: string; path: string; body?: unknown } = routes[name];
    if (!body || method === "GET") continue;
    const url = fillPath(path);
    for (const { at, put } of placesIn(body)) {
      // Of the same name each time: the rules are judged before it is refused.
      const whole = name === "createJob" ? { name: "Grown", ...sound[name] } : (sound[name] ?? {});
      const within = (value: unknown) => put(whole, value);
      for (const piece of pieces)
        yield {
          name,
          method,
          url,
          input: `${at}: ${JSON.stringify(piece)}…`,
          bodyOf: (size) => within(piece.repeat(Math.ceil(size / piece.length))),
        };
      for (const [start, piece] of takesRules.test(at) ? rules : []) {
        const rule = (size: number) => start + piece.repeat(Math.ceil((size - start.length) / piece.length));
        const input = `${at}: ${JSON.stringify(start + piece)}…`;
        yield { name, method, url, input, bodyOf: (size) => within(rule(size)) };
        // As many as a job may have, and as long as each may be, or more than that within the largest body.
        const each = (size: number) => (size < 20_000 ? size - 20 : size / 50);
        const all = (size: number) => within(Array(50).fill(rule(each(size))));
        yield { name, method, url, input: `${input} 50×`, bodyOf: all };
      }
      const words = (size: number) => Array.from({ length: size / 10 }, (_, n) => `.a${n} > b`);
      yield { name, method, url, input: `${at}: a list`, bodyOf: (size) => within(words(size)) };
    }
    const deep = (size: number) => `${"[".repeat(size / 2)}${"]".repeat(size / 2)}`;
    yield { name, method, url, input: "lists in lists", bodyOf: deep };
  }
}

/** Where a value can stand in a body: its fields, and the fields within them. */
function* placesIn(schema: unknown): Generator<{ at: string; put: (body: Body, value: unknown) => Body }> {
  for (const [name, field] of Object.entries(fieldsOf(schema))) {
    yield { at: name, put: (body, value) => ({ ...body, [name]: value }) };
    for (const { at, put } of placesIn(field))
      yield {
        at: `${name}.${at}`,
        put: (body, value) => ({ ...body, [name]: put((body[name] ?? {}) as Body, value) }),
      };
  }
}

/**
 * Asks every call with hostile values in every field and part of its path, one at a time beside what else it needs;
 * with `every` above 1 only each so-manieth, another one at each field.
 */
export async function walkHostile(
  walked: Walked,
  ask: (name: string, method: string, url: string, body?: unknown) => Promise<void>,
  every = 1,
): Promise<void> {
  const { sound, ids, fillPath } = soundCalls(walked);
  let count = 0;
  const isChosen = () => count++ % every === 0;

  const names = Object.keys(routes).filter((name) => ![...last, ...unwalked].includes(name));
  for (const name of [...names, ...last] as (keyof typeof routes)[]) {
    const route: { method: string; path: string; query?: unknown; body?: unknown } = routes[name];
    const { method, path } = route;
    const fill = (given: Record<string, string>) => fillPath(path, given);
    const body = method === "GET" ? undefined : sound[name];
    for (const key of path.match(/(?<=:)\w+/g) ?? [])
      for (const value of inPath)
        if (isChosen()) await ask(name, method, fill({ ...ids, [key]: value }), body);
    if (route.query)
      for (const query of spoiled(route.query, sound[name] ?? {})) {
        if (!isChosen()) continue;
        const parts = Object.entries(query).map(
          ([key, value]) => `${key}=${encodeURIComponent(inAddress(value))}`,
        );
        await ask(name, method, `${fill(ids)}?${parts.join("&")}`);
        await ask(name, method, `${fill(ids)}?${parts[0]}&${parts[0]}`);
      }
    if (route.body) {
      for (const spoilt of spoiled(route.body, sound[name] ?? {}))
        if (isChosen()) await ask(name, method, fill(ids), spoilt);
      for (const text of [null, [], "text", 1, "\ud800"])
        await ask(name, method, fill(ids), JSON.stringify(text));
    }
    await ask(name, method, fill(ids), body);
  }
}

const inAddress = (value: unknown) =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2_000).toWellFormed();
