import { expect, test } from "vitest";
import { settingNames } from "#contract/job-settings.ts";
import { nameFields } from "./name-fields.ts";

test("fields are named in words, and many are counted", () => {
  expect(nameFields(["url", "alertIf"])).toBe("URL, alert conditions");
  expect(nameFields(["name", "url", "frequency", "groupId", ...settingNames])).toBe(
    `name, URL, frequency, group, ${settingNames.length} more`,
  );
});
