import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { makeSnapshot, makeText, mutate, seeded } from "./fuzz-inputs.ts";
import { findUnlistedMarkup } from "./unlisted-markup.ts";

const page = (html: string, headers: Snapshot["headers"] = []) => ({
  ...snapshotOf(html, "html", "https://www.example.test/"),
  headers,
});
const judge = (before: Snapshot, after: Snapshot) => compare(before, after, emptyMemory()).verdict;

test("every difference between mangled pages is reported or listed", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = seeded(seed);
      const old = makeText(random, "html");
      const before = makeSnapshot(random, "html", old);
      const after = makeSnapshot(random, "html", mutate(random, old, 1 + random(4)));
      expect(findUnlistedMarkup(before, after, judge(before, after))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

const attribute = fc.tuple(
  fc.constantFrom("href", "class", "style", "id", "data-x", "alt", "src", "disabled", "aria-label", "name"),
  fc.constantFrom("", "/a", "/b", "https://else.example/", "one two", "color:red", "9f86d081884c7d65", "Buy"),
);
const element = fc
  .tuple(
    fc.constantFrom("a", "p", "div", "img", "script", "style", "button", "svg", "textarea", "li", "meta"),
    fc.uniqueArray(attribute, { selector: ([name]) => name, maxLength: 3 }),
    fc.constantFrom("", "Lamp 9 €", "var a=1;", "p{color:red}", "<!-- x -->", "<text>Five</text>"),
  )
  .map(([tag, attributes, inside]) => {
    const list = attributes.map(([name, value]) => ` ${name}="${value}"`).join("");
    return `<${tag}${list}>${inside}</${tag}>`;
  });
const body = fc.array(element, { maxLength: 8 }).map((elements) => elements.join("\n"));

test("every difference between small pages is reported or listed", () => {
  fc.assert(
    fc.property(body, body, (old, now) => {
      const [before, after] = [page(old), page(now)];
      expect(findUnlistedMarkup(before, after, judge(before, after))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a thousand differences of one kind are one entry with their count", () => {
  const rows = (name: string) => page(`<i class="${name}">x</i>`.repeat(1000));
  const [before, after] = [rows("a"), rows("b")];
  const verdict = judge(before, after);
  expect(verdict.ignored).toMatchObject([{ place: "class of <i>", why: "style", count: 1000 }]);
  expect(findUnlistedMarkup(before, after, verdict)).toEqual([]);
});

test("unlistedMarkup finds what a verdict leaves out: an attribute, a header, a part of a count", () => {
  const before = page('<p class="a">x</p><p class="b">y</p><b id="1"></b><b id="2"></b>', [
    ["server", "one"],
  ]);
  const after = page('<p class="c">x</p><p class="d">y</p><b id="2"></b><b id="1"></b>', [["server", "two"]]);
  const verdict = judge(before, after);
  expect(findUnlistedMarkup(before, after, verdict)).toEqual([]);
  const without = (place: string) => ({
    ...verdict,
    ignored: verdict.ignored.filter((one) => one.place !== place),
    ignoredCount: verdict.ignored.length - 1,
  });
  expect(findUnlistedMarkup(before, after, without("class of <p>"))).toEqual([
    "class of <p>: a",
    "class of <p>: b",
  ]);
  expect(findUnlistedMarkup(before, after, without("header server"))).toEqual(["header server: one → two"]);
  const short = verdict.ignored.map((one) => (one.place === "class of <p>" ? { ...one, count: 1 } : one));
  expect(findUnlistedMarkup(before, after, { ...verdict, ignored: short })).toEqual(["class of <p>: b"]);
});
