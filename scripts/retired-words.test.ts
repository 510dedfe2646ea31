import { expect, test } from "vitest";
import { isRetiredProse, readOlderNames, retiredWordsIn } from "./retired-words.ts";

const older = new Set(["untold", "told"]);
const find = (code: string) => retiredWordsIn("file.tsx", code, older).map(({ text }) => text);

test("a retired word is found in every kind of name", () => {
  const code = `const deskSize = 1;
function openLane(glimpse: string) { return [glimpse].map((twin) => twin); }
type Sight = { albumOf: string; method(): void };
class Glasses { #lane = 1; stands() {} }
const { kept: said, list: [, sighted, lure = 2], ...lanes } = read();`;
  expect(find(code)).toEqual([
    "deskSize",
    "openLane",
    "glimpse",
    "twin",
    "Sight",
    "albumOf",
    "Glasses",
    "lane",
    "stands",
    "said",
    "lure",
    "lanes",
  ]);
});

test("an older name stays as a property, also where a pattern takes the variable's name from it", () => {
  expect(find("const { untold, told = [] } = row; send({ untold, told: [] });")).toEqual([]);
  expect(find("type Row = { untold: string | null };")).toEqual([]);
  expect(find("const untold = row.untold;")).toEqual(["untold"]);
  expect(find("const { reason: untold } = row;")).toEqual(["untold"]);
  expect(find("function show(told: string) { return told; }")).toEqual(["told"]);
});

test("comments and docs may quote names, and may use plain English verbs", () => {
  expect(find("// The twin of a capture.\nrun(); /** Its lane. */")).toEqual([
    "The twin of a capture.",
    "* Its lane.",
  ]);
  expect(
    find("// The user said so, as `untold` stands for. Classes and planes, islands and paid lanesides."),
  ).toEqual([]);
  expect(isRetiredProse("At the first glimpse")).toBe(true);
  expect(isRetiredProse("`glimpse` is the older name")).toBe(false);
});

test("strings are not searched: pages and sentences may use any word", () => {
  expect(find('const address = "12 Mill Lane"; const name = `told ${address}`;')).toEqual([]);
});

test("the older names are those of the glossary's table", () => {
  const page =
    "| `wrong` | a |\n\n## Older names that stay\n\n| name | where |\n| - | - |\n| `a`, `b-c` | in `d` |\n";
  expect([...readOlderNames(page)]).toEqual(["a", "b-c"]);
});
