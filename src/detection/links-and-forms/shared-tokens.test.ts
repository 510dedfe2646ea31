import { expect, test } from "vitest";
import { findSharedTokens } from "./shared-tokens.ts";

const swapAll = (
  before: string,
  after: string,
  targets = ["//a.example/x", "//b.example/y", "//c.example/z"],
) =>
  findSharedTokens(
    targets.map((target) => ({ before: { to: `${target}?${before}` }, after: { to: `${target}?${after}` } })),
  ).size;

test("a value that several different links carry and change together is a token of the visit", () => {
  expect(swapAll("visit=130-5176315&ld=1", "visit=141-8119775&ld=1")).toBe(3);
  expect(swapAll("a=Xk29fLq0Pz71&b=130517631", "a=Yw83dRt5Qm20&b=141811977")).toBe(3);
});

test.for([
  ["a word", "ref=summer", "ref=winter"],
  ["another word beside it", "visit=130-5176315&ref=summer", "visit=141-8119775&ref=winter"],
  ["another name", "visit=130-5176315", "guest=130-5176315"],
  ["a value more", "visit=130-5176315", "visit=130-5176315&go=1"],
])("%s isn't", ([, before = "", after = ""]) => {
  expect(swapAll(before, after)).toBe(0);
});

test("a document that one target leads to isn't a token, however often it is linked", () => {
  expect(swapAll("file=130517631", "file=141811977", Array(5).fill("//a.example/x"))).toBe(0);
  expect(swapAll("file=130517631", "file=141811977", ["//a.example/x", "//b.example/y"])).toBe(0);
});
