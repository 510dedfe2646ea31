import { expect, test } from "vitest";
import { headerRule, NewJob, triggerMethods } from "#contract/job.ts";
import { plans } from "#contract/plans.ts";
import { checkBody } from "./check-body.ts";
import {
  checkFields,
  emptyFields,
  fieldAt,
  fieldsOf,
  inputOf,
  type JobFields,
  maximumHeaders,
  methods,
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
  };
  const { frequencyMinutes, ...rest } = job;
  expect(inputOf(fieldsOf(job))).toEqual({ ...rest, frequency: frequencyMinutes });
});

test.each([
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
])("%j is told at %s", (wrong, field, problem) => {
  expect(checkFields({ ...good, ...wrong }, basic)).toEqual({ [field]: problem });
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
  };
  const paths = NewJob.safeParse(input).error?.issues.map(({ path }) => path.join(".")) ?? [];
  expect(new Set(paths.map(fieldAt))).toEqual(
    new Set(Object.keys(good).filter((name) => !["triggerMethod", "lookupWhen", "awaited"].includes(name))),
  );
  expect(fieldAt("password")).toBeUndefined();
});
