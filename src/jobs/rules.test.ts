import { expect, test } from "vitest";
import { assertTarget, hostOf } from "./rules.ts";

test.for<[url: string, host: string]>([
  ["https://shop.example/a", "shop.example"],
  ["https://SHOP.example:8443/", "shop.example"],
  // Otherwise one host would get the slots of two, and a pause that it asked for would hold for one of them.
  ["https://shop.example./", "shop.example"],
  ["http://[::1]:80/", "[::1]"],
])("the limits of %s count by the host %s", ([url, host]) => {
  expect(hostOf(url)).toBe(host);
});

test.for([
  "http://{{date:d}}.example.com/",
  "http://10.0.0.{{date:d}}/",
  "http://a.example:{{date:d}}/",
  "http://a.example{{date:/}}b",
  "http:///a.example{{date:/}}b",
  "a.example{{date:?}}",
])("R7 the host of %s can't change, so that its limits apply", async (url) => {
  const refuseTarget = () => Promise.resolve(null);
  await expect(assertTarget({ refuseTarget }, url)).rejects.toMatchObject({
    message: "The host may not contain a date.",
  });
  expect(await assertTarget({ refuseTarget }, "a.example/{{date:yyyy}}")).toBe(
    "https://a.example/{{date:yyyy}}",
  );
});
