import { expect, test } from "vitest";
import { settingNames } from "#contract/job-settings.ts";
import { plans } from "#plans/plans.ts";
import { emptyFields } from "../fields.ts";
import { jobSections, sectionDiffers } from "./job-sections.tsx";

const fields = emptyFields("group", plans[0]);

test("each field of the form and each setting of the API belongs to exactly one section", () => {
  const names = Object.keys(fields).filter((name) => name !== "isScheduled");
  expect(jobSections.flatMap((section) => section.fields).toSorted()).toEqual(names.toSorted());
  const settings = [...settingNames, "name", "url", "groupId", "frequency"];
  expect(jobSections.flatMap((section) => section.saves).toSorted()).toEqual(settings.toSorted());
});

test("a section differs if one of its own fields does", () => {
  const edited = { ...fields, ignore: ".ad" };
  const differing = jobSections.filter((section) => sectionDiffers(section, edited, fields));
  expect(differing.map(({ id }) => id)).toEqual(["rules"]);
});
