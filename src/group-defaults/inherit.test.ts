import { expect, test } from "vitest";
import { groupNames, settingRow } from "#contract/job-settings.ts";
import { settingSamples } from "#contract/testing/setting-samples.ts";
import { createSecretBox } from "#storage/encryption/secret-box.ts";
import { toSettingColumns, withSettings } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";
import { comparedSettings, headersOf, inherit, rulesOf, stepSecretsOf } from "./inherit.ts";

const secrets = createSecretBox(["key"]);
const [id, groupId] = ["0198c0de-0000-7000-8000-000000000001", "0198c0de-0000-7000-8000-000000000002"];
const {
  channels,
  message,
  tellFailures,
  selector,
  alertIf,
  schedule,
  browser,
  proxies,
  secondOpinion,
  steps,
  compareAs,
  pageSteps,
  identity,
  sharesSignedIn,
} = settingSamples;

/** A job without settings of its own, in a group with defaults. */
const bareJob = {
  id,
  group_id: groupId,
  handed: {
    channels,
    message,
    tellFailures,
    selector,
    alertIf,
    browser,
    proxies,
    secondOpinion,
    ignore: [".cookie", ".ad"],
    steps,
    compareAs,
    pageSteps,
    identity,
    sharesSignedIn,
  },
  group_timetable: schedule,
  group_headers_sealed: null,
  headers_sealed: null,
  ignore: [],
  settings: {},
} as unknown as JobRow;

const inherited = groupNames.filter((name) => name !== "headers" && name !== "stepSecrets");

test.for(inherited)(
  "%s is inherited from the group if the job has none, and the job's own overrides or extends it",
  (name) => {
    const column = settingRow(name).group?.column;
    const defaults = bareJob.handed as Record<string, unknown>;
    const groupValue = column ? bareJob.group_timetable : defaults[name];
    expect(inherit(bareJob, name)).toEqual(groupValue);
    const jobWithOwnValue = withSettings(bareJob, { [name]: settingSamples[name] });
    const joined = [".ad", "/\\d+ views/", ".cookie"];
    expect(inherit(jobWithOwnValue, name)).toEqual(name === "ignore" ? joined : settingSamples[name]);
    const withoutDefaults = { ...jobWithOwnValue, handed: {}, group_timetable: null };
    expect(inherit(withoutDefaults, name)).toEqual(settingSamples[name]);
  },
);

test("a job's empty list of conditions overrides its group's", () => {
  const emptyConditions = { match: "all" as const, conditions: [] };
  expect(inherit(withSettings(bareJob, { alertIf: emptyConditions }), "alertIf")).toEqual(emptyConditions);
});

test("a job inherits each part of the browser settings that it doesn't have itself", () => {
  const job = withSettings(bareJob, { browser: { device: "tablet", block: ["images"] } });
  expect(inherit(job, "browser")).toEqual({ ...browser, device: "tablet", block: ["images"] });
});

test("the settings for a comparison include the group's defaults", () => {
  const rules = { selector: "main", ignore: [".cookie", ".ad"], steps, compareAs };
  expect(rulesOf(bareJob)).toEqual(rules);
  expect(comparedSettings(bareJob)).toEqual({
    ...rules,
    alertIf,
    lookup: null,
    awaited: false,
    joinsSelector: false,
    notInherited: null,
    values: [],
  });
});

test("a job can leave out its group's selector, or a single ignore rule of its group", () => {
  const leaving = (notInherited: object) =>
    rulesOf(withSettings(bareJob, { notInherited: { selector: false, ignore: [], ...notInherited } }));
  expect(leaving({ selector: true })).toMatchObject({ selector: null, ignore: [".cookie", ".ad"] });
  expect(leaving({ ignore: [".ad", ".other"] })).toMatchObject({ selector: "main", ignore: [".cookie"] });
});

test("a job's selector replaces its group's, or is added to it if the job wants both", () => {
  const own = { selector: ".price" };
  expect(inherit(withSettings(bareJob, own), "selector")).toBe(".price");
  const joining = { ...own, joinsSelector: true };
  expect(inherit(withSettings(bareJob, joining), "selector")).toBe("main\n.price");
  const leaving = { ...joining, notInherited: { selector: true, ignore: [] } };
  expect(inherit(withSettings(bareJob, leaving), "selector")).toBe(".price");
});

test("a job's steps may type the group's secrets, and its own one of the same name", () => {
  const group = [
    { name: "password", value: "group" },
    { name: "code", value: "1" },
  ];
  const job = {
    ...bareJob,
    ...toSettingColumns(secrets, id, { stepSecrets: [{ name: "password", value: "own" }] }),
    group_step_secrets_sealed: secrets.seal(JSON.stringify(group), `group-step-secrets:${groupId}`),
  } as JobRow;
  expect(stepSecretsOf(secrets, job)).toEqual([group[1], { name: "password", value: "own" }]);
});

test("a job's own header overrides the group's header of the same name", () => {
  const group = [
    { name: "x-key", value: "group" },
    { name: "Accept", value: "text/html" },
  ];
  const job = {
    ...bareJob,
    ...toSettingColumns(secrets, id, { headers: [{ name: "X-Key", value: "own" }] }),
    group_headers_sealed: secrets.seal(JSON.stringify(group), `group-headers:${groupId}`),
  } as JobRow;
  expect(headersOf(secrets, job)).toEqual([group[1], { name: "X-Key", value: "own" }]);
});
