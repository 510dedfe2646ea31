import { expect, test } from "vitest";
import { readSearchParams, toQuery, writeSearchParams } from "./search-params.ts";

const read = (query: string) => readSearchParams(new URLSearchParams(query));

test("a search is written to the URL and read back; what is unknown or invalid is left out", () => {
  const params = read("q=Careers&mode=words&kind=link&group=g&tag=shop&from=2026-01-31&to=2026-02-31x");
  expect(params).toEqual({
    q: "Careers",
    mode: "words",
    kind: "link",
    group: "g",
    job: "",
    tag: "shop",
    sort: "newest",
    from: "2026-01-31",
    to: "",
  });
  const written = Object.entries(writeSearchParams(params)).filter(([, value]) => value !== null);
  expect(read(new URLSearchParams(written as [string, string][]).toString())).toEqual(params);
  expect(read("mode=magic&kind=constructor")).toMatchObject({ mode: "literal", kind: "" });
});

test("the last day of a period is covered in full", () => {
  const { from, to } = toQuery(read("q=a&from=2026-01-31&to=2026-01-31"), 25);
  expect(Date.parse(to ?? "") - Date.parse(from ?? "")).toBe(86_400_000);
});
