import type { z } from "zod";
import { type RouteName, routes } from "#contract/routes.ts";
import type { WalkedAccount } from "./walked-account.ts";
import {
  type Body,
  type BodyRoute,
  fillPath,
  namesOfRoutesWith,
  sampleFields,
  validBodies,
  validQueries,
} from "./walked-inputs.ts";

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
const otherValues = [
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
const listValues = [["\0"], ["\ud800", "a"], Array.from({ length: 1_000 }, (_, i) => `s${i}`), [null]];

const pathStrings = strings.filter((text) => text.length < 100).slice(0, 12);
type Fields = Record<string, z.ZodType>;

/** The fields of an object, however deeply its schema wraps it. */
function fieldsOf(schema: unknown): Fields {
  const definition = schema as {
    shape?: Fields;
    def?: { innerType?: unknown; in?: unknown; options?: unknown[] };
  };
  if (definition?.shape) return definition.shape;
  const { innerType, in: input, options = [] } = definition?.def ?? {};
  return Object.assign({}, ...[innerType, input, ...options].filter(Boolean).map(fieldsOf));
}

/** The schema of a list's entries, however deeply the list is wrapped. */
function entrySchemaOf(schema: unknown): unknown {
  const { innerType, in: input, element } = (schema as { def?: Body } | undefined)?.def ?? {};
  if (element) return element;
  return innerType || input ? entrySchemaOf(innerType ?? input) : undefined;
}

type Part = { at: string; sample: unknown; put: (whole: unknown, value: unknown) => unknown };

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every part of a value, however deep, with a function that replaces it: the fields of its schema, and of a sample. */
function* partsOf(schema: unknown, sample: unknown, samples: Body = {}): Generator<Part> {
  if (Array.isArray(sample)) {
    for (const [n, entry] of sample.entries()) {
      const replace = (whole: unknown, value: unknown) => (whole as unknown[]).with(n, value);
      yield { at: `[${n}]`, sample: entry, put: replace };
      for (const { at, sample: inner, put } of partsOf(entrySchemaOf(schema), entry))
        yield { at: `[${n}].${at}`, sample: inner, put: (whole, value) => replace(whole, put(entry, value)) };
    }
    return;
  }
  const fields = fieldsOf(schema);
  const given: Body = isObject(sample) ? sample : {};
  for (const name of new Set([...Object.keys(fields), ...Object.keys(given)])) {
    const value = given[name] ?? samples[name];
    const replace = (whole: unknown, part: unknown) => ({ ...(whole as Body), [name]: part });
    yield { at: name, sample: value, put: replace };
    for (const { at, sample: inner, put } of partsOf(fields[name], value))
      yield {
        at: `${name}.${at}`,
        sample: inner,
        put: (whole, part) => replace(whole, put(value ?? {}, part)),
      };
  }
}

/** Copies of a valid body with one hostile value each, also in nested fields. */
function* hostileBodies(schema: unknown, validBody: Body, samples: Body = {}): Generator<Body> {
  for (const { put } of partsOf(schema, validBody, samples))
    for (const value of [...strings, ...otherValues, ...listValues]) yield put(validBody, value) as Body;
}

// Routes that delete what others need are sent at the end. A live stream is skipped: its response never ends.
const lastRoutes = ["deleteJob", "deleteGroup", "deleteMe", "logout"];
const skippedRoutes = ["events"];

const limitedCalls = 20;

/** Repeated, each of these may cost a pattern, a parser or a template more than linear time. */
const pieces = [
  "a",
  " ",
  "\\",
  "(",
  "[",
  "{{",
  "{{date:d}}",
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

/** Rules: the start of one, and the piece that is repeated after it. */
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
const takesRules = /selector|ignore|strings|rule$|text$|value$|^q$/;

export type GrowingCall = {
  name: RouteName;
  method: string;
  /** With the query, if that is what grows. */
  urlOf: (size: number) => string;
  input: string;
  bodyOf?: (size: number) => unknown;
};

/** Inputs for one part of a body or query: a text or a list of any size. */
function* growingValues({ at, sample }: Part): Generator<{ input: string; make: (size: number) => unknown }> {
  for (const piece of pieces)
    yield {
      input: `${at}: ${JSON.stringify(piece)}…`,
      make: (size) => piece.repeat(Math.ceil(size / piece.length)),
    };
  for (const [start, piece] of takesRules.test(at) ? rules : []) {
    const rule = (size: number) => start + piece.repeat(Math.ceil((size - start.length) / piece.length));
    const input = `${at}: ${JSON.stringify(start + piece)}…`;
    yield { input, make: rule };
    // As many rules as a job may have, each as long as allowed; or longer ones that fill the largest body.
    const ruleSize = (size: number) => (size < 20_000 ? size - 20 : size / 50);
    yield { input: `${input} 50×`, make: (size) => Array(50).fill(rule(ruleSize(size))) };
  }
  yield {
    input: `${at}: a list`,
    make: (size) => Array.from({ length: size / 10 }, (_, n) => `.a${n} > b`),
  };
  yield {
    input: `${at}: keys`,
    make: (size) => Object.fromEntries(Array.from({ length: size / 10 }, (_, n) => [`key${n}`, n])),
  };
  const [entry] = Array.isArray(sample) ? sample : [];
  if (entry === undefined) return;
  const each = JSON.stringify(entry).length + 1;
  yield { input: `${at}: more entries`, make: (size) => Array(Math.ceil(size / each)).fill(entry) };
}

/** Every call that takes a body or a query, with each part of it as a text or a list of any size. */
export function* listGrowingCalls(walked: WalkedAccount): Generator<GrowingCall> {
  const [bodies, queries, samples] = [validBodies(walked), validQueries(walked), sampleFields(walked)];
  for (const name of namesOfRoutesWith<BodyRoute>("body")) {
    const { method, path, body: schema } = routes[name];
    const urlOf = () => fillPath(path, walked);
    // The name is the same each time: the rules are validated before a name that is taken is refused.
    const valid = name === "createJob" ? { name: "Grown", ...bodies[name] } : bodies[name];
    for (const part of partsOf(schema, valid, samples))
      for (const { input, make } of growingValues(part))
        yield { name, method, urlOf, input, bodyOf: (size) => part.put(valid, make(size)) };
    const nestedLists = (size: number) => `${"[".repeat(size / 2)}${"]".repeat(size / 2)}`;
    yield { name, method, urlOf, input: "lists in lists", bodyOf: nestedLists };
  }
  for (const name of namesOfRoutesWith("query")) {
    const { method, path, query: schema }: { method: string; path: string; query?: unknown } = routes[name];
    if (method !== "GET") continue;
    const valid = queries[name] ?? {};
    for (const part of partsOf(schema, valid))
      for (const { input, make } of growingValues(part)) {
        const urlOf = (size: number) =>
          `${fillPath(path, walked)}?${queryOf(part.put(valid, make(size)) as Body)}`;
        yield { name, method, urlOf, input: `?${input}` };
      }
  }
}

const queryOf = (query: Body) =>
  Object.entries(query)
    .map(([key, value]) => `${key}=${encodeURIComponent(queryText(value))}`)
    .join("&");

const queryText = (value: unknown) =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 4_000).toWellFormed();

/**
 * Sends every call with hostile values in every field and every part of its path, one hostile value at a time in an
 * otherwise valid call. With `every` above 1 only one in `every` values is sent, a different one for each field.
 */
export async function sendHostileValues(
  walked: WalkedAccount,
  /** Returns the status of the answer. */
  send: (name: RouteName, method: string, url: string, body?: unknown) => Promise<unknown>,
  every = 1,
): Promise<void> {
  const bodies: Partial<Record<RouteName, Body>> = validBodies(walked);
  const [queries, samples] = [validQueries(walked), sampleFields(walked)];
  let count = 0;
  const isChosen = () => count++ % every === 0;
  const limited = new Map<RouteName, number>();
  const sendCall: typeof send = async (name, ...call) => {
    const times = limited.get(name) ?? 0;
    // Calls over a limit of the account are answered slowly, so only a few of them are sent.
    if (times > limitedCalls && times % limitedCalls > 0) limited.set(name, times + 1);
    else if ((await send(name, ...call)) === 429) limited.set(name, times + 1);
  };

  const isLast = (name: RouteName) => lastRoutes.includes(name) || routes[name].method === "DELETE";
  const names = (Object.keys(routes) as RouteName[]).filter((name) => !skippedRoutes.includes(name));
  const ordered = [
    ...names.filter((name) => !isLast(name)),
    ...names.filter((name) => isLast(name) && !lastRoutes.includes(name)),
    ...(lastRoutes as RouteName[]),
  ];
  for (const name of ordered) {
    const route: { method: string; path: string; query?: unknown; body?: unknown } = routes[name];
    const { method, path } = route;
    const valid = fillPath(path, walked);
    const body = bodies[name];
    for (const key of path.match(/(?<=:)\w+/g) ?? [])
      for (const value of pathStrings)
        if (isChosen()) await sendCall(name, method, fillPath(path, walked, { [key]: value }), body);
    if (route.query)
      for (const query of hostileBodies(route.query, queries[name] ?? {})) {
        if (!isChosen()) continue;
        const text = queryOf(query);
        await sendCall(name, method, `${valid}?${text}`, body);
        await sendCall(name, method, `${valid}?${text.split("&")[0]}&${text.split("&")[0]}`, body);
      }
    if (route.body) {
      for (const hostileBody of hostileBodies(route.body, body ?? {}, samples))
        if (isChosen()) await sendCall(name, method, valid, hostileBody);
      for (const text of [null, [], "text", 1, "\ud800"])
        await sendCall(name, method, valid, JSON.stringify(text));
    }
    await sendCall(name, method, queries[name] ? `${valid}?${queryOf(queries[name])}` : valid, body);
  }
}
