import { expect, test } from "vitest";
import { longFunctions } from "./long-functions.ts";

const block = (lines: number) => `{\n${"  work();\n".repeat(lines - 2)}}`;
const find = (code: string) => longFunctions("file.tsx", code);

test("a function may have at most 120 lines", () => {
  expect(find(`function short() ${block(120)}`)).toEqual([]);
  expect(find(`\nexport async function long() ${block(121)}`)).toEqual([
    { line: 2, name: "long", lines: 121 },
  ]);
});

test("arrow functions and methods count too, named after the variable or property that holds them", () => {
  expect(find(`const arrow = () => ${block(130)};`)).toMatchObject([{ name: "arrow" }]);
  expect(find(`const holder = {\n  method() ${block(130)},\n};`)).toMatchObject([
    { name: "method", line: 2 },
  ]);
  expect(find(`start(() => ${block(130)});`)).toMatchObject([{ name: "(anonymous)" }]);
});

test("a function inside a long one is measured separately", () => {
  const inner = `function inner() ${block(122)}`;
  expect(find(`function outer() {\n${inner}\n}`).map(({ name }) => name)).toEqual(["outer", "inner"]);
});

test("JSX and types are parsed", () => {
  const code = `function Page({ a }: { a: string }) {\n  return <p>\n${"    {a}\n".repeat(120)}  </p>;\n}`;
  expect(find(code)).toMatchObject([{ name: "Page" }]);
});

test("a long function is allowed if a comment directly above gives the reason", () => {
  const long = `function long() ${block(121)}`;
  expect(find(`// Long because it lists every case.\n${long}`)).toEqual([]);
  expect(
    find(`/** Does it. */\n// Long because it lists every case,\n// and there are many.\n${long}`),
  ).toEqual([]);
  expect(find(`/**\n * Does it.\n * Long because it lists every case.\n */\nexport ${long}`)).toEqual([]);
  expect(find(`// Long because it was elsewhere.\n\n${long}`)).toHaveLength(1);
  expect(find(`// It is long because nobody split it.\n${long}`)).toHaveLength(1);
});
