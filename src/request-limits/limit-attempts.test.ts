import { expect, it } from "vitest";
import { callerKey } from "./limit-attempts.ts";

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0db8:0001:0002::9", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["192.0.2.1:50123", "192.0.2.1"],
  ["[2001:db8:1:2::9]:50123", "2001:db8:1:2"],
  ["[2001:db8:1:2::9]", "2001:db8:1:2"],
])("A7 attempts from %s are counted for %s", (ip, key) => {
  expect(callerKey(ip)).toBe(key);
});
