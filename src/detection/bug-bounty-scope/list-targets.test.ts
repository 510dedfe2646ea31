import { expect, test } from "vitest";
import { listTargets } from "./list-targets.ts";

const heading = (text: string) => ({ role: "heading" as const, text });
const item = (text: string) => ({ role: "item" as const, text });

test("hosts below a heading that says so are in scope; those below “out of scope” aren’t", () => {
  const blocks = [
    item("www.vendor.example"),
    heading("In scope"),
    item("*.api.vendor.example"),
    item("https://shop.vendor.example/login"),
    item("Only production"),
    heading("Out of scope"),
    item("blog.vendor.example"),
    heading("Rewards"),
    item("pay.vendor.example"),
  ];
  expect(listTargets(blocks)).toEqual([
    { host: "api.vendor.example", subdomains: true },
    { host: "shop.vendor.example", subdomains: false },
  ]);
});

test("a plain list is all in scope, and a wildcard for a host counts for both spellings", () => {
  const blocks = ["vendor.example", "*.vendor.example", "not a host", "*", "localhost"].map(item);
  expect(listTargets(blocks)).toEqual([{ host: "vendor.example", subdomains: true }]);
});

test("a list without end is bounded", () => {
  const blocks = Array.from({ length: 5000 }, (_, n) => item(`h${n}.vendor.example`));
  expect(listTargets(blocks)).toHaveLength(500);
});
