import { expect, test } from "vitest";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { applyRules, parseRules } from "./apply-rules.ts";

test("text nodes and elements count beside computed values", () => {
  const page = snapshotOf("<h1>Open</h1><p>Sale of <b>lamps</b></p>", "html", "http://a.example/");
  const selector = "xpath:count(//p)\nxpath://h1/text()\nxpath://p";
  const { snapshot } = applyRules(page, parseRules({ selector, ignore: [] }));
  expect(snapshot.text.map(({ text }) => text)).toEqual(["1", "Open", "Sale of lamps"]);
});
