import { expect, test } from "vitest";
import { GroupSettings, Job, JobUpdate, NewJob } from "./job.ts";
import {
  comparedNames,
  groupNames,
  jobSettings,
  secretNames,
  settingNames,
  settingRow,
} from "./job-settings.ts";
import { settingSamples } from "./testing/setting-samples.ts";

test("the API accepts and returns every setting, and groups accept those that have a default", () => {
  for (const { shape } of [NewJob, JobUpdate, Job])
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(settingNames));
  expect(Object.keys(GroupSettings.shape)).toEqual(groupNames);
});

test.for(settingNames)("%s is accepted as it is returned, and its empty value is valid", (name) => {
  const { input, shown, empty } = jobSettings[name];
  const sample = settingSamples[name];
  expect(input.parse(sample)).toEqual(sample);
  expect(shown.parse(sample)).toEqual(sample);
  expect(shown.parse(empty)).toEqual(empty);
  expect(input.safeParse(undefined).success).toBe(true);
});

test("secrets are sealed; compared settings are not, because tests on history vary them", () => {
  const sealedNames = settingNames.filter((name) => settingRow(name).store?.as === "sealed");
  expect(sealedNames).toEqual(expect.arrayContaining(secretNames));
  expect(comparedNames.filter((name) => sealedNames.includes(name))).toEqual([]);
});

test("each setting has its own column, or none", () => {
  const columns = settingNames.flatMap((name) => settingRow(name).store?.column ?? []);
  expect(new Set(columns).size).toBe(columns.length);
});
