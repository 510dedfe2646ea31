import { expect, test } from "vitest";
import { secretNames, settingNames, settingRow } from "#contract/job-settings.ts";
import { settingSamples } from "#contract/testing/setting-samples.ts";
import { createSecretBox } from "./encryption/secret-box.ts";
import { readSetting, readSettings, toSettingColumns, withSettings } from "./job-settings.ts";
import type { JobRow } from "./jobs.ts";

const secrets = createSecretBox(["key"]);
const id = "0198c0de-0000-7000-8000-000000000001";

/** The row as the database returns it: JSON columns are parsed. */
function toRow(columns: object): JobRow {
  const json = settingNames.flatMap((name) => {
    const { store } = settingRow(name);
    return store?.as === "json" ? store.column : [];
  });
  const parsed = Object.entries(columns).map(([column, value]) => [
    column,
    [...json, "settings"].includes(column) && value !== null ? JSON.parse(value) : value,
  ]);
  return { id, settings: {}, ...Object.fromEntries(parsed) };
}

test.for(settingNames)("%s is read back as written or cleared, and changes only its own column", (name) => {
  const { empty, store } = settingRow(name);
  const row = toRow(toSettingColumns(secrets, id, { [name]: settingSamples[name] }));
  expect(readSetting(secrets, row, name)).toEqual(settingSamples[name]);
  expect(readSettings(secrets, toRow({}))[name]).toEqual(empty);
  const cleared = toSettingColumns(secrets, id, { [name]: empty }, row);
  expect(Object.keys(cleared)).toEqual([store?.column ?? "settings"]);
  expect(readSetting(secrets, { ...row, ...toRow(cleared) }, name)).toEqual(empty);
});

test("secrets are encrypted in the columns and can be decrypted for their own job only", () => {
  const columns = toSettingColumns(secrets, id, settingSamples);
  expect(JSON.stringify(columns)).not.toContain("hunter");
  const otherJob = { ...toRow(columns), id: "0198c0de-0000-7000-8000-000000000002" };
  for (const name of secretNames) expect(() => readSetting(secrets, otherJob, name)).toThrow();
});

test("settings of a newer version are kept, and the shared column is written only if needed", () => {
  const storedRow = { settings: { fromNewerVersion: 1 } } as unknown as JobRow;
  expect(toSettingColumns(secrets, id, { selector: "main" }, storedRow)).toEqual({ selector: "main" });
  const shared = settingNames.filter((name) => !settingRow(name).store);
  for (const name of shared) {
    const { settings } = toSettingColumns(secrets, id, { [name]: settingSamples[name] }, storedRow);
    expect(JSON.parse(settings ?? "")).toEqual({
      fromNewerVersion: 1,
      [name]: settingSamples[name],
    });
  }
});

test("settings under test replace a row's own, except encrypted ones", () => {
  const row = toRow(toSettingColumns(secrets, id, settingSamples));
  const testedRow = withSettings(row, { ...settingSamples, selector: "#other", ignore: [] });
  expect(readSettings(secrets, testedRow)).toEqual({ ...settingSamples, selector: "#other", ignore: [] });
  expect(row.selector).toBe("main");
});
