import { expect, test } from "vitest";
import { createBoundary } from "./boundary.ts";

const limits = { subdomains: false, paths: [], exclude: [] };
const scope = [
  { host: "api.vendor.example", subdomains: true },
  { host: "pay.other.example", subdomains: false },
];

test.for<[address: string, isOwn: boolean, isInScope: boolean]>([
  ["https://shop.example/a", true, true],
  ["http://www.shop.example/a", true, true],
  ["https://shop.example:8443/a", false, false],
  ["https://blog.shop.example/", false, false],
  ["https://notshop.example/", false, false],
  ["https://shop.example.evil.example/", false, false],
  ["https://v2.api.vendor.example/", false, true],
  ["https://pay.other.example/", false, true],
  ["https://x.pay.other.example/", false, false],
])("%s is on the site: %s, with a scope list: %s", ([address, isOwn, isInScope]) => {
  expect(createBoundary("https://shop.example/", limits).hasHost(address)).toBe(isOwn);
  expect(createBoundary("https://shop.example/", limits, scope).hasHost(address)).toBe(isInScope);
});

test("paths and exceptions count on all hosts", () => {
  const boundary = createBoundary(
    "https://shop.example/",
    { ...limits, paths: ["/docs/"], exclude: ["/*.pdf$"] },
    scope,
  );
  expect(
    ["https://shop.example/docs/a", "https://shop.example/docs/a.pdf", "https://pay.other.example/a"].map(
      (address) => boundary.includes(address),
    ),
  ).toEqual([true, false, false]);
});
