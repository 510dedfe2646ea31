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

type Body = Record<string, unknown>;

/** Copies of a valid body with one hostile value each, also in nested fields. */
function* hostileBodies(schema: unknown, validBody: Body): Generator<Body> {
  for (const [name, field] of Object.entries(fieldsOf(schema))) {
    for (const value of [...strings, ...otherValues, ...listValues]) yield { ...validBody, [name]: value };
    const inner = fieldsOf(field);
    if (Object.keys(inner).length === 0) continue;
    const innerBody = (validBody[name] ?? {}) as Body;
    for (const part of hostileBodies(field, innerBody)) yield { ...validBody, [name]: part };
  }
}

/** What the calls need from the account; `before` is the execution before `executionId`. */
export type HostileWalkTarget = {
  groupId: string;
  jobId: string;
  executionId: string;
  before: string;
  /** A job that watches a site, with an execution of it. */
  site: { jobId: string; executionId: string };
};

// Routes that delete what others need are sent at the end. A live stream is skipped: its response never ends.
const lastRoutes = ["deleteJob", "deleteGroup", "logout", "deleteMe"];
const skippedRoutes = ["events"];

/** Valid bodies for the calls that need one, and the values for their paths. */
function validCalls({ groupId, jobId, executionId, before, site }: HostileWalkTarget) {
  const siteRule = { by: "pattern", value: "/", groupId, maxJobs: 1, frequency: 60 };
  const validInputs: Record<string, Body> = {
    createJob: { url: "http://127.0.0.1:8080/x", frequency: 60, groupId },
    updateJob: {},
    createGroup: { name: "Another" },
    createShare: { executionId, fromId: before },
    compare: { from: before, to: executionId },
    siteDifference: { from: site.executionId, to: site.executionId },
    trySiteRule: siteRule,
    createSiteRule: siteRule,
    updateSiteRule: siteRule,
    exportSite: { format: "csv" },
    search: { q: "lamp" },
    createSearchAlert: { name: "Walked", q: "lamp" },
    trySearchAlert: { q: "lamp" },
    register: { firstname: "A", surname: "B", email: "walk@example.com", password: "correct1!" },
    login: { email: "walk@example.com", password: "wrong1!" },
  };
  const pathValues = { jobId, executionId, groupId, side: "after", planId: "ultimate", status: "active" };
  const fillPath = (path: string, values: Record<string, string> = pathValues) =>
    path.replace(/:(\w+)/g, (_, key: string) => {
      const isOfSite = key === "jobId" && path.includes("/site") && values.jobId === jobId;
      return encodeURIComponent((isOfSite ? site.jobId : (values[key] ?? "x")).toWellFormed());
    });
  return { validInputs, pathValues, fillPath };
}

/** Repeated, each of these may cost a pattern, a parser or a template more than linear time. */
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
const takesRules = /selector|ignore|strings|rule$|text$/;

export type GrowingCall = {
  name: string;
  method: string;
  url: string;
  input: string;
  bodyOf: (size: number) => unknown;
};

/** Every call that takes a body, with each of its fields as a text or a list of any size. */
export function* listGrowingCalls(walked: HostileWalkTarget): Generator<GrowingCall> {
  const { validInputs, fillPath } = validCalls(walked);
  for (const name of Object.keys(routes).filter(
    (route) => !lastRoutes.includes(route),
  ) as (keyof typeof routes)[]) {
    const { method, path, body }: { method: string; path: string; body?: unknown } = routes[name];
    if (!body || method === "GET") continue;
    const url = fillPath(path);
    for (const { at, put } of fieldSetters(body)) {
      // The name is the same each time: the rules are validated before a name that is taken is refused.
      const validBody =
        name === "createJob" ? { name: "Grown", ...validInputs[name] } : (validInputs[name] ?? {});
      const bodyWith = (value: unknown) => put(validBody, value);
      for (const piece of pieces)
        yield {
          name,
          method,
          url,
          input: `${at}: ${JSON.stringify(piece)}…`,
          bodyOf: (size) => bodyWith(piece.repeat(Math.ceil(size / piece.length))),
        };
      for (const [start, piece] of takesRules.test(at) ? rules : []) {
        const rule = (size: number) => start + piece.repeat(Math.ceil((size - start.length) / piece.length));
        const input = `${at}: ${JSON.stringify(start + piece)}…`;
        yield { name, method, url, input, bodyOf: (size) => bodyWith(rule(size)) };
        // As many rules as a job may have, each as long as allowed; or longer ones that fill the largest body.
        const ruleSize = (size: number) => (size < 20_000 ? size - 20 : size / 50);
        const fiftyRules = (size: number) => bodyWith(Array(50).fill(rule(ruleSize(size))));
        yield { name, method, url, input: `${input} 50×`, bodyOf: fiftyRules };
      }
      const selectors = (size: number) => Array.from({ length: size / 10 }, (_, n) => `.a${n} > b`);
      yield { name, method, url, input: `${at}: a list`, bodyOf: (size) => bodyWith(selectors(size)) };
    }
    const nestedLists = (size: number) => `${"[".repeat(size / 2)}${"]".repeat(size / 2)}`;
    yield { name, method, url, input: "lists in lists", bodyOf: nestedLists };
  }
}

/** Every field of a body, also nested ones, with a function that sets it. */
function* fieldSetters(
  schema: unknown,
): Generator<{ at: string; put: (body: Body, value: unknown) => Body }> {
  for (const [name, field] of Object.entries(fieldsOf(schema))) {
    yield { at: name, put: (body, value) => ({ ...body, [name]: value }) };
    for (const { at, put } of fieldSetters(field))
      yield {
        at: `${name}.${at}`,
        put: (body, value) => ({ ...body, [name]: put((body[name] ?? {}) as Body, value) }),
      };
  }
}

/**
 * Sends every call with hostile values in every field and every part of its path, one hostile value at a time in an
 * otherwise valid call. With `every` above 1 only one in `every` values is sent, a different one for each field.
 */
export async function sendHostileValues(
  walked: HostileWalkTarget,
  sendCall: (name: string, method: string, url: string, body?: unknown) => Promise<void>,
  every = 1,
): Promise<void> {
  const { validInputs, pathValues, fillPath } = validCalls(walked);
  let count = 0;
  const isChosen = () => count++ % every === 0;

  const names = Object.keys(routes).filter((name) => ![...lastRoutes, ...skippedRoutes].includes(name));
  for (const name of [...names, ...lastRoutes] as (keyof typeof routes)[]) {
    const route: { method: string; path: string; query?: unknown; body?: unknown } = routes[name];
    const { method, path } = route;
    const fill = (values: Record<string, string>) => fillPath(path, values);
    const body = method === "GET" ? undefined : validInputs[name];
    for (const key of path.match(/(?<=:)\w+/g) ?? [])
      for (const value of pathStrings)
        if (isChosen()) await sendCall(name, method, fill({ ...pathValues, [key]: value }), body);
    if (route.query)
      for (const query of hostileBodies(route.query, validInputs[name] ?? {})) {
        if (!isChosen()) continue;
        const parts = Object.entries(query).map(
          ([key, value]) => `${key}=${encodeURIComponent(queryText(value))}`,
        );
        await sendCall(name, method, `${fill(pathValues)}?${parts.join("&")}`);
        await sendCall(name, method, `${fill(pathValues)}?${parts[0]}&${parts[0]}`);
      }
    if (route.body) {
      for (const hostileBody of hostileBodies(route.body, validInputs[name] ?? {}))
        if (isChosen()) await sendCall(name, method, fill(pathValues), hostileBody);
      for (const text of [null, [], "text", 1, "\ud800"])
        await sendCall(name, method, fill(pathValues), JSON.stringify(text));
    }
    await sendCall(name, method, fill(pathValues), body);
  }
}

const queryText = (value: unknown) =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2_000).toWellFormed();
