import { expect, test } from "vitest";
import { headerRule, NewJob, triggerMethods } from "#contract/job.ts";
import { plans } from "#contract/plans.ts";
import { checkBody } from "./check-body.ts";
import { newCondition } from "./condition-fields.ts";
import {
  checkFields,
  emptyFields,
  fieldAt,
  fieldsOf,
  inputOf,
  type JobFields,
  maximumHeaders,
  methods,
  rowAt,
  withoutSecrets,
} from "./fields.ts";

const [basic, professional] = plans;
const groupId = "0192f0c1-5a3e-7c11-9d7a-3b1f5f0c2a77";
const good: JobFields = { ...emptyFields(groupId, basic), name: "Page", url: "https://example.com/" };

test("the form's own numbers are the contract's", () => {
  expect(maximumHeaders).toBe(headerRule.maximum);
  expect(methods).toEqual(triggerMethods);
});

test("what is kept over a reload holds no secret", () => {
  const kept = withoutSecrets({
    ...good,
    headers: [{ name: "Authorization", value: "secret-1" }],
    triggerUrl: "https://hooks.example.com/secret-2",
    triggerBody: '{"key":"secret-3"}',
    requestBody: "password=secret-5",
    triggerHeaders: [{ name: "X-Key", value: "secret-4" }],
  });
  expect(JSON.stringify(kept)).not.toContain("secret");
  expect(kept).toMatchObject({ name: "Page", headers: [{ name: "Authorization" }] });
});

test("filled fields are what the call takes", () => {
  const fields: JobFields = {
    ...good,
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
  const input = inputOf(fields);
  expect(NewJob.parse(input)).toMatchObject({
    headers: [{ name: "X-Key", value: "1" }],
    ignore: [".ad", "/\\d+ views/"],
    selector: "main",
    trigger: { method: "POST", strings: ["admin", "root"] },
    lookup: { strings: ["in stock"], when: "disappears" },
  });
  expect(checkFields(fields, professional)).toEqual({});
});

test("a job shown in the form and sent back unchanged is the same job", () => {
  const job = {
    name: "Page",
    url: "https://example.com/",
    groupId,
    frequencyMinutes: 90,
    headers: [{ name: "X-Key", value: "••••••••" }],
    selector: "main",
    awaited: true,
    waitFor: { selector: ".prices", seconds: 4 },
    ignore: ["a", "b"],
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
      ],
    },
    values: [{ name: "price", by: "selector" as const, rule: "#price" }],
    schedule: { zone: "Europe/Lisbon", cron: "0 9 * * 1-5" },
    tellFailures: { down: 1 as const, gone: 10 as const },
    channels: ["email" as const],
    request: {
      method: "POST" as const,
      as: "json" as const,
      body: '{"a":1}',
      userAgent: "Prices/1.0",
      language: "de-DE",
    },
  };
  const { frequencyMinutes, ...rest } = job;
  expect(inputOf(fieldsOf({ ...job, inherited: null }))).toEqual({ ...rest, frequency: frequencyMinutes });
});

const price = { name: "price", by: "price" as const, rule: "" };
const status = (text: string) => ({ ...newCondition, sort: "status" as const, text });
const below = (text: string) => ({ ...newCondition, sort: "number below" as const, name: "price", text });

test.each<[wrong: Partial<JobFields>, field: string, problem: string, row?: number]>([
  [{ name: " " }, "name", "Give the job a name."],
  [{ waitSeconds: "16" }, "waitSeconds", "Whole seconds, from 1 to 15."],
  [{ waitSeconds: "soon" }, "waitSeconds", "Whole seconds, from 1 to 15."],
  [{ url: "" }, "url", "Which address?"],
  [{ url: "example.com" }, "url", "Start with http:// or https://."],
  [{ url: "javascript:alert(1)" }, "url", "Start with http:// or https://."],
  [{ url: "https://exa mple" }, "url", "This is not an address."],
  [{ groupId: "" }, "groupId", "Choose a group."],
  [
    { frequency: "59" },
    "frequency",
    "The Basic plan checks every 60 minutes at most. Professional checks every 20.",
  ],
  [{ frequency: "4" }, "frequency", "The Basic plan checks every 60 minutes at most."],
  [{ frequency: "1.5" }, "frequency", "Whole minutes, from 1."],
  [{ frequency: "99999" }, "frequency", "At most 43,200 minutes, which is 30 days."],
  [{ headers: [{ name: "a b", value: "c" }] }, "headers", "“a b” is not a header name."],
  [{ headers: [{ name: "", value: "c" }] }, "headers", "A header needs a name."],
  [{ triggerBody: "{}" }, "triggerUrl", "Without a URL nothing is sent."],
  [{ conditions: [newCondition] }, "conditions", "Which text?", 0],
  [{ conditions: [status("2xx"), status("20")] }, "conditions", "A code as 404, or a class as 5xx.", 1],
  [
    { conditions: [{ ...newCondition, sort: "reason" as const }] },
    "conditions",
    "Choose at least one kind.",
    0,
  ],
  [{ conditions: [below("5")] }, "conditions", "Name the number under Numbers first.", 0],
  [{ values: [price], conditions: [below("five")] }, "conditions", "A number, as 49.90.", 0],
  [{ values: [price], conditions: [{ ...below("5"), name: "x" }] }, "conditions", "Which number?", 0],
  [{ scheduleKind: "week" }, "scheduleWeek", "Choose at least one hour."],
  [{ scheduleKind: "cron" }, "scheduleCron", "Which line? As 0 9 * * 1-5."],
  [{ values: [price, price] }, "values", "Two have the same name.", 1],
  [{ values: [{ ...price, name: "1st" }] }, "values", "Letters, digits and underscores, a letter first.", 0],
  [{ values: [{ ...price, by: "selector" as const }] }, "values", "Where does it stand?", 0],
])("%j is told at %s", (wrong, field, problem, row?: number) => {
  const rows = row === undefined ? {} : { rows: { [field]: row } };
  expect(checkFields({ ...good, ...wrong }, basic)).toEqual({ [field]: problem, ...rows });
});

test.each([
  "",
  '{"a": "{{summary}}", "n": {{similarity}}, "f": {{ findings }}}',
  '{"a": "\\"{{summary}}\\""}',
])("the body %j stands", (body) => expect(checkBody(body)).toBeUndefined());

test.each([
  ["{", "Not JSON yet"],
  ['{"a": x{{summary}}}', "Not JSON yet"],
  ["{{summary}} and more", "Not JSON yet"],
  ['{"a": "{{password}}"}', "{{password}} stands for nothing"],
  ['{"a": "{{constructor}}"}', "{{constructor}} stands for nothing"],
])("the body %j is told %j", (body, problem) => expect(checkBody(body)).toContain(problem));

test("what the server finds wrong is shown at the field that holds it", () => {
  const input = {
    name: "",
    url: "",
    groupId: "none",
    frequency: 0,
    headers: [{ name: "", value: "" }],
    selector: "x".repeat(1001),
    waitFor: { selector: "x".repeat(1001), seconds: 99 },
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
    values: [{ name: "1", by: "price" }],
    schedule: { zone: 1, week: [], cron: "x".repeat(101) },
    tellFailures: { down: 2, gone: 2 },
    channels: ["pigeon"],
    request: {
      method: "HEAD",
      as: "xml",
      body: "x".repeat(65_537),
      userAgent: "x".repeat(301),
      language: "<",
    },
  };
  const paths = NewJob.safeParse(input).error?.issues.map(({ path }) => path.join(".")) ?? [];
  expect(new Set(paths.map(fieldAt))).toEqual(
    new Set(
      Object.keys(good).filter(
        (name) =>
          ![
            "triggerMethod",
            "lookupWhen",
            "awaited",
            "alertMatch",
            "alertAll",
            "scheduleKind",
            "isScheduled",
          ].includes(name),
      ),
    ),
  );
  expect(fieldAt("password")).toBeUndefined();
  expect(rowAt("alertIf.conditions.2.text")).toBe(2);
  expect(rowAt("values.1")).toBe(1);
  expect(rowAt("ignore.1")).toBeUndefined();
});
