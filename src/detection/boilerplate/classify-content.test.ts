import { expect, test } from "vitest";
import { extractPage } from "../html-parsing/extract-page.ts";
import { contentFeatures, featuresOf } from "./content-features.ts";
import { contentTrees } from "./content-model.ts";
import { splitContent } from "./split-content.ts";

const sentence =
  "The committee met on Tuesday, heard both sides, and decided that the bridge will stay open. ";
const page = (main: string) =>
  `<html><body><div class="a"><ul>${["Home", "Products", "Prices", "About us", "Contact", "Log in"]
    .map((name) => `<li><a href="/${name}">${name}</a></li>`)
    .join("")}</ul></div><div class="b"><h1>The bridge</h1>${main}</div><div class="c"><ul>${[
    "Imprint",
    "Privacy policy",
    "Terms of use",
    "Careers",
  ]
    .map((name) => `<li><a href="/${name}">${name}</a></li>`)
    .join("")}</ul><p>© 2026 The Daily Bridge</p></div></body></html>`;

test("on a page without landmarks, prose is content and lists of links are boilerplate", () => {
  const { content, boilerplate } = splitContent(page(`<p>${sentence.repeat(3)}</p>`.repeat(6)));
  expect(content).toContain("heard both sides");
  expect(content).not.toMatch(/Privacy policy|Careers/);
  expect(boilerplate).toContain("Privacy policy");
  expect(boilerplate).toContain("Log in");
  expect(boilerplate).not.toContain("heard both sides");
});

test("each block of text is on one side", () => {
  const { content, boilerplate } = splitContent(page(`<p>${sentence}</p>`));
  const lines = [...content.split("\n"), ...boilerplate.split("\n")].filter(Boolean);
  expect(lines.filter((line) => line === "Contact")).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith("The committee"))).toHaveLength(1);
});

test("a page without text has neither", () => {
  expect(splitContent("")).toEqual({ content: "", boilerplate: "" });
});

test("every block has each of the features that the trees ask for", () => {
  const features = featuresOf(extractPage(page(`<p>${sentence}</p>`), "https://site.example/"));
  expect(new Set(features.map((row) => row.length))).toEqual(new Set([contentFeatures.length]));
  expect(features.flat().every(Number.isFinite)).toBe(true);
  const asked = contentTrees.flatMap((tree) => [tree[0], tree[2], tree[6]]);
  expect(Math.max(...asked)).toBeLessThan(contentFeatures.length);
});
