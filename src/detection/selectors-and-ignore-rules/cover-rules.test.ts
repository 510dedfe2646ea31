import { expect, test } from "vitest";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { coverRules } from "./cover-rules.ts";

const page = snapshotOf(
  '<body><div class="ad">Buy three lamps <b class="ad">today</b></div><p>12 people online</p><p>Fjell lamp 59.00 €</p><p class="ad" hidden>unseen words</p></body>',
  "html",
  "https://shop.example/",
);

test("coverRules counts the elements, lines and words that each rule covers on a page", () => {
  expect(
    coverRules(page, {
      selector: ".ad\n\nxpath://p\n##[",
      ignore: ["people online", "/\\d+ people/", "section", "Nothing"],
    }),
  ).toEqual({
    selector: [
      { what: "element", count: 3, words: 4 },
      { what: "element", count: 3, words: 6 },
      { problem: expect.stringContaining("“##[” is not understood at character 1") },
    ],
    ignore: [
      { what: "line", count: 1, words: 3 },
      { what: "line", count: 1, words: 2 },
      { what: "element", count: 0, words: 0 },
      { what: "line", count: 0, words: 0 },
    ],
  });
});

test("coverRules counts the values, lines and words that each rule covers in a JSON file", () => {
  const json = snapshotOf('{"at": 1, "items": [{"price": 5}, {"price": 6}]}', "json", page.url);
  expect(coverRules(json, { selector: "jsonpath:$.items[*].price", ignore: ["price", "main"] })).toEqual({
    selector: [{ what: "value", count: 2, words: 2 }],
    ignore: [
      { what: "line", count: 2, words: 4 },
      { what: "element", count: 0, words: 0 },
    ],
  });
});

test.for([
  ["html", "<p>Pier opens</p><p>Ferry runs</p>", "xpath://p[1]/text()"],
  ["xml", "<r><item>Pier opens</item><item>Ferry runs</item></r>", "xpath://item[1]/text()"],
] as const)("the words of a chosen text in %s are counted", ([kind, body, selector]) => {
  const covered = coverRules(snapshotOf(body, kind, "https://example.com/"), { selector, ignore: [] });
  expect(covered.selector).toEqual([{ what: "element", count: 1, words: 2 }]);
});
