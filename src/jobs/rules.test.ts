import { expect, test } from "vitest";
import { hostOf } from "./rules.ts";

test.for<[url: string, host: string]>([
  ["https://shop.example/a", "shop.example"],
  ["https://SHOP.example:8443/", "shop.example"],
  // Otherwise one host would get the slots of two, and a pause that it asked for would hold for one of them.
  ["https://shop.example./", "shop.example"],
  ["http://[::1]:80/", "[::1]"],
])("the limits of %s count by the host %s", ([url, host]) => {
  expect(hostOf(url)).toBe(host);
});
