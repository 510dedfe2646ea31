import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalHtml } from "./canonical-html.ts";

test("prints one node per line with sorted attributes and classes", () => {
  expect(canonicalHtml('<p class="b  a" id=x>Some\n   text<br><b>bold</b></p>').lines).toEqual([
    '<p class="a b" id="x">',
    "  Some text",
    "  <br>",
    "  <b>",
    "    bold",
    "  </b>",
    "</p>",
  ]);
});

test("splits minified scripts, data and styles into lines and keeps strings whole", () => {
  const long = `var a="x;y{z}",b=${"1".repeat(100)};function f(){return a}`;
  expect(canonicalHtml(`<script>${long}</script>`).lines).toEqual([
    "<script>",
    '  var a="x;y{z}",',
    `  b=${"1".repeat(100)};`,
    "  function f(){",
    "  return a}",
    "</script>",
  ]);
});

test("the order of attributes never matters", () => {
  const attribute = fc.tuple(fc.stringMatching(/^[a-z]{1,6}$/), fc.stringMatching(/^[\w <>&'=-]{0,8}$/));
  fc.assert(
    fc.property(fc.uniqueArray(attribute, { selector: ([name]) => name }), fc.nat(), (pairs, rotation) => {
      const print = (list: [string, string][]) =>
        canonicalHtml(`<i ${list.map(([name, value]) => `${name}="${value}"`).join(" ")}>x`).lines;
      const rotated = [
        ...pairs.slice(rotation % (pairs.length + 1)),
        ...pairs.slice(0, rotation % (pairs.length + 1)),
      ];
      expect(print(rotated)).toEqual(print(pairs));
    }),
  );
});

test("any input is printed, with a node for each printed line", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("<p>", "</p>", "<!--", "<script>", "</", "&#x", '="')), {
        maxLength: 40,
      }),
      (pieces) => {
        const { lines, nodes } = canonicalHtml(pieces.join(""));
        expect(nodes.length).toBe(lines.length);
      },
    ),
  );
});
