import { expect, test } from "vitest";
import type { GroupSettings } from "#contract/job.ts";
import { plans } from "#plans/plans.ts";
import { emptyFields, type JobFields } from "../job-form/fields.ts";
import { jobSections } from "../job-form/sections/job-sections.tsx";
import { inheritanceOf } from "./inheritance.ts";

const none: GroupSettings = {
  channels: null,
  message: null,
  tellFailures: null,
  schedule: null,
  headers: [],
  selector: null,
  ignore: [],
  alertIf: null,
  browser: null,
  steps: null,
  compareAs: null,
  proxies: null,
  secondOpinion: null,
  identity: null,
  sharesSignedIn: null,
  pageSteps: null,
  stepSecrets: [],
};
const severe: GroupSettings["alertIf"] = {
  match: "all",
  conditions: [{ what: "severity", atLeast: "important" }],
};

test.each<[section: string, group: Partial<GroupSettings>, own: Partial<JobFields>, expected: string | null]>(
  [
    ["rules", {}, { ignore: ".ad" }, null],
    ["rules", { ignore: [".ad"] }, {}, "inherited"],
    ["rules", { ignore: [".ad"] }, { ignore: ".clock" }, "joined"],
    ["rules", { ignore: [".ad"] }, { leftIgnore: [".ad"] }, "overridden"],
    ["rules", { selector: "main" }, { selector: "#price" }, "overridden"],
    ["rules", { selector: "main" }, { ignore: ".ad" }, "inherited"],
    ["rules", { selector: "main", ignore: [".ad"] }, { ignore: ".clock" }, "joined"],
    ["conditions", { alertIf: severe }, {}, "inherited"],
    ["conditions", { alertIf: severe }, { alertAll: true }, "overridden"],
    ["channels", { alertIf: severe }, {}, null],
    ["request", { headers: [{ name: "X", value: "1" }] }, {}, "inherited"],
    ["request", { headers: [{ name: "X", value: "1" }] }, { headers: [{ name: "Y", value: "2" }] }, "joined"],
  ],
)("the section %s under the defaults %j, with %j, is %s", (id, group, own, expected) => {
  const section = jobSections.find((one) => one.id === id) ?? { saves: [] };
  const fields = { ...emptyFields("group", plans[0]), ...own };
  expect(inheritanceOf(section, fields, { ...none, ...group })).toBe(expected);
});
