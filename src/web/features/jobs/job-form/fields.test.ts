import { expect, test } from "vitest";
import { headerRule, NewJob, triggerMethods } from "#contract/job.ts";
import { plans } from "#plans/plans.ts";
import { maxNamedValues } from "#web/ui/named-value.ts";
import { newCondition } from "./conditions/condition-fields.ts";
import {
  checkFields,
  emptyFields,
  fieldAt,
  fieldsOf,
  type JobFields,
  methods,
  rowAt,
  toJobInput,
  withoutSecrets,
} from "./fields.ts";
import { checkBody } from "./trigger/check-body.ts";

const [basic, professional] = plans;
const groupId = "0192f0c1-5a3e-7c11-9d7a-3b1f5f0c2a77";
const validFields: JobFields = { ...emptyFields(groupId, basic), name: "Page", url: "https://example.com/" };

test("the form's limits and methods match the contract's", () => {
  expect(maxNamedValues).toBe(headerRule.maximum);
  expect(methods).toEqual(triggerMethods);
});

test("a new job is checked every 60 minutes, whatever its plan allows", () => {
  expect(plans.map((plan) => emptyFields(groupId, plan).frequency)).toEqual(plans.map(() => "60"));
});

test("the draft that survives a reload contains no secret", () => {
  const draft = withoutSecrets({
    ...validFields,
    headers: [{ name: "Authorization", value: "secret-1" }],
    triggerUrl: "https://hooks.example.com/secret-2",
    triggerBody: '{"key":"secret-3"}',
    requestBody: "password=secret-5",
    triggerHeaders: [{ name: "X-Key", value: "secret-4" }],
  });
  expect(JSON.stringify(draft)).not.toContain("secret");
  expect(draft).toMatchObject({ name: "Page", headers: [{ name: "Authorization" }] });
});

test("filled fields become a valid API request", () => {
  const fields: JobFields = {
    ...validFields,
    headers: [
      { name: "X-Key", value: "1" },
      { name: " ", value: "" },
    ],
    ignore: " .ad \n\n/\\d+ views/ ",
    selector: " main ",
    triggerUrl: "https://hooks.example.com/x",
    triggerBody: '{"a": {{similarity}}}',
    triggerStrings: "admin\nroot",
    lookupStrings: "in stock",
    lookupWhen: "disappears",
  };
  const input = toJobInput(fields);
  expect(NewJob.parse(input)).toMatchObject({
    headers: [{ name: "X-Key", value: "1" }],
    ignore: [".ad", "/\\d+ views/"],
    selector: "main",
    trigger: { method: "POST", strings: ["admin", "root"] },
    lookup: { strings: ["in stock"], when: "disappears" },
  });
  expect(checkFields(fields, professional)).toEqual({});
});

test("a job that is loaded into the form and sent back unchanged stays the same", () => {
  const job = {
    name: "Page",
    note: "Why\nI watch it",
    tags: ["shop", "client A"],
    message: { title: "{{title}}", text: "{{words}}\n" },
    url: "https://example.com/",
    groupId,
    frequencyMinutes: 90,
    headers: [{ name: "X-Key", value: "••••••••" }],
    selector: "main",
    awaited: true,
    waitFor: { selector: ".prices", text: "In stock", quiet: true, seconds: 4 },
    proxies: ["0192f0c1-5a3e-7c11-9d7a-3b1f5f0c2a99", "direct"],
    secondOpinion: { use: "lower" as const, matters: "Prices" },
    browser: {
      device: "phone" as const,
      block: ["images" as const],
      scroll: true,
      language: "de-DE",
      timeZone: "Asia/Tokyo",
    },
    ignore: ["a", "b"],
    notInherited: { selector: true, ignore: [".banner"] },
    joinsSelector: true,
    steps: [{ do: "between" as const, text: "From", to: "To" }],
    compareAs: "source" as const,
    pageSteps: [
      { type: "click" as const, selectors: [["aria/Prices"], ["#prices"]] },
      { type: "keyDown" as const, key: "Enter" },
    ],
    stepSecrets: [{ name: "password", value: "••••••••" }],
    identity: "0192f0c1-5a3e-7c11-9d7a-3b1f5f0c2a99",
    sharesSignedIn: false,
    trigger: { url: "https://h.example/", method: "PUT" as const, body: "{}", strings: ["x"], headers: [] },
    lookup: { strings: ["y"], when: "appears" as const },
    alertIf: {
      match: "any" as const,
      conditions: [
        { what: "text" as const, is: "absent" as const, text: "sold out" },
        { what: "number" as const, name: "price", is: "down" as const, amount: 0.5, percent: true },
        { what: "number" as const, name: "price", is: "below" as const, amount: 40, percent: false },
        { what: "status" as const, is: "5xx" },
        { what: "severity" as const, atLeast: "critical" as const },
        { what: "reason" as const, kinds: ["script" as const, "form" as const] },
        { what: "only" as const, is: "additions" as const },
        { what: "size" as const, of: "words" as const, is: "above" as const, amount: 10 },
        { what: "similarity" as const, is: "below" as const, amount: 80 },
        { what: "matches" as const, is: "above" as const, text: "in stock", amount: 1 },
      ],
    },
    values: [{ name: "price", by: "selector" as const, rule: "#price" }],
    schedule: { zone: "Europe/Lisbon", cron: "0 9 * * 1-5" },
    tellFailures: { down: 1 as const, gone: 10 as const },
    channels: ["email" as const],
    site: {
      subdomains: true,
      paths: ["/docs/"],
      exclude: ["/docs/old", "/*.pdf$"],
      maxPages: 1200,
      perSecond: 0.5,
      scope: "0192f0c1-5a3e-7c11-9d7a-3b1f5f0c2a99",
      robots: false,
    },
    request: {
      method: "POST" as const,
      as: "json" as const,
      body: '{"a":1}',
      userAgent: "Prices/1.0",
      language: "de-DE",
    },
  };
  const { frequencyMinutes, ...otherSettings } = job;
  expect(toJobInput(fieldsOf({ ...job, inherited: null }))).toEqual({
    ...otherSettings,
    frequency: frequencyMinutes,
  });
});

const price = { name: "price", by: "price" as const, rule: "" };
const status = (text: string) => ({ ...newCondition, sort: "status" as const, text });
const below = (text: string) => ({ ...newCondition, sort: "number below" as const, name: "price", text });

test.each<[wrong: Partial<JobFields>, field: string, problem: string, row?: number]>([
  [{ name: "x".repeat(121) }, "name", "At most 120 characters."],
  [{ note: "x".repeat(501) }, "note", "At most 500 characters."],
  [{ waitSeconds: "16" }, "waitSeconds", "Enter whole seconds, 1 to 15."],
  [{ waitSeconds: "soon" }, "waitSeconds", "Enter whole seconds, 1 to 15."],
  [{ url: "" }, "url", "Enter a URL."],
  [{ url: "ftp://example.com" }, "url", "Start with http:// or https://."],
  [{ url: "javascript:alert(1)" }, "url", "This isn’t a valid URL."],
  [{ url: "https://exa mple" }, "url", "This isn’t a valid URL."],
  [{ groupId: "" }, "groupId", "Choose a group."],
  [
    { frequency: "59" },
    "frequency",
    "Minimum interval on the Basic plan: 60 minutes. On Professional: 20 minutes.",
  ],
  [{ frequency: "4" }, "frequency", "Minimum interval on the Basic plan: 60 minutes."],
  [{ frequency: "1.5" }, "frequency", "Enter whole minutes, 1 or more."],
  [{ frequency: "99999" }, "frequency", "At most 43,200 minutes, which is 30 days."],
  [{ headers: [{ name: "a b", value: "c" }] }, "headers", "“a b” is not a header name."],
  [{ headers: [{ name: "", value: "c" }] }, "headers", "A header needs a name."],
  [{ triggerBody: "{}" }, "triggerUrl", "Enter a URL: without one, nothing is sent."],
  [{ conditions: [newCondition] }, "conditions", "Enter a text.", 0],
  [
    { conditions: [status("2xx"), status("20")] },
    "conditions",
    "Enter a code like 404 or a class like 5xx.",
    1,
  ],
  [
    { conditions: [{ ...newCondition, sort: "reason" as const }] },
    "conditions",
    "Choose at least one kind.",
    0,
  ],
  [{ conditions: [below("5")] }, "conditions", "Add the number under Numbers first.", 0],
  [{ values: [price], conditions: [below("five")] }, "conditions", "Enter a number, e.g. 49.90.", 0],
  [{ values: [price], conditions: [{ ...below("5"), name: "x" }] }, "conditions", "Choose a number.", 0],
  [{ scheduleKind: "week" }, "scheduleWeek", "Choose at least one hour."],
  [{ scheduleKind: "cron" }, "scheduleCron", "Enter a cron line, e.g. 0 9 * * 1-5."],
  [{ values: [price, price] }, "values", "Two values have the same name.", 1],
  [
    { values: [{ ...price, name: "1st" }] },
    "values",
    "Use letters, digits and underscores, starting with a letter.",
    0,
  ],
  [{ values: [{ ...price, by: "selector" as const }] }, "values", "Enter where to find it.", 0],
])("%j shows its problem at the field %s", (wrong, field, problem, row?: number) => {
  const rows = row === undefined ? {} : { rows: { [field]: row } };
  expect(checkFields({ ...validFields, ...wrong }, basic)).toEqual({ [field]: problem, ...rows });
});

test.each([
  "",
  '{"a": "{{summary}}", "n": {{similarity}}, "f": {{ findings }}}',
  '{"a": "{{value.price}} for {{title}}"}',
  '{"a": "\\"{{summary}}\\""}',
])("the trigger body %j is valid", (body) => expect(checkBody(body)).toBeUndefined());

test.each([
  ["{", "Not JSON yet"],
  ['{"a": x{{summary}}}', "Not JSON yet"],
  ["{{summary}} and more", "Not JSON yet"],
  ['{"a": "{{password}}"}', "{{password}} isn’t a known placeholder"],
  ['{"a": "{{constructor}}"}', "{{constructor}} isn’t a known placeholder"],
  ['{"a": "{{value.constructor}}"}', "{{value.constructor}} isn’t a known placeholder"],
])("the trigger body %j is refused with %j", (body, problem) => expect(checkBody(body)).toContain(problem));

test("each problem that the server finds is shown at its field", () => {
  const input = {
    name: "x".repeat(121),
    note: "x".repeat(501),
    tags: ["x".repeat(31)],
    url: "",
    groupId: "none",
    frequency: 0,
    headers: [{ name: "", value: "" }],
    selector: "x".repeat(1001),
    waitFor: { selector: "x".repeat(1001), text: "x".repeat(201), seconds: 99 },
    browser: { device: "watch", language: "d", timeZone: "Moon" },
    proxies: ["elsewhere"],
    identity: "somebody",
    sharesSignedIn: "perhaps",
    secondOpinion: { use: "silence", matters: "x".repeat(501) },
    ignore: [""],
    trigger: {
      url: "",
      method: "POST",
      body: "x".repeat(65_537),
      strings: [""],
      headers: [{ name: "", value: "" }],
    },
    lookup: { strings: [], when: "appears" },
    alertIf: { match: "all", conditions: [{ what: "text", is: "added", text: "" }] },
    steps: [{ do: "dance" }],
    compareAs: "song",
    pageSteps: [{ type: "dance" }],
    stepSecrets: [{ name: "", value: "" }],
    values: [{ name: "1", by: "price" }],
    schedule: { zone: 1, week: [], cron: "x".repeat(101) },
    tellFailures: { down: 4, gone: 4 },
    channels: ["pigeon"],
    site: {
      subdomains: "no",
      paths: ["docs"],
      exclude: ["old"],
      maxPages: 0,
      perSecond: 0,
      scope: "x",
      robots: "no",
    },
    message: { title: "a\nb", text: "x".repeat(4_001) },
    request: {
      method: "TRACE",
      as: "xml",
      body: "x".repeat(65_537),
      userAgent: "x".repeat(301),
      language: "<",
    },
  };
  const paths = NewJob.safeParse(input).error?.issues.map(({ path }) => path.join(".")) ?? [];
  expect(new Set(paths.map(fieldAt))).toEqual(
    new Set(
      Object.keys(validFields).filter(
        (name) =>
          ![
            "triggerMethod",
            "lookupWhen",
            "awaited",
            "alertMatch",
            "alertAll",
            "scheduleKind",
            "isScheduled",
            "leavesSelector",
            "leftIgnore",
            "joinsSelector",
            "waitQuiet",
            "isSite",
            "skipsGroupSteps",
          ].includes(name),
      ),
    ),
  );
  expect(fieldAt("password")).toBeUndefined();
  expect(rowAt("alertIf.conditions.2.text")).toBe(2);
  expect(rowAt("values.1")).toBe(1);
  expect(rowAt("ignore.1")).toBeUndefined();
});
