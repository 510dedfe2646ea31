import { expect, test } from "vitest";
import { areUserHeadersAllowed, type Header } from "./user-headers.ts";

test("E9 accepts ordinary headers", () => {
  const headers: Header[] = [
    ["Authorization", "Bearer abc"],
    ["Cookie", "a=b; c=d"],
    ["X-Api-Key", "ключ"],
    ["Content-Type", "application/json"],
    ["Accept", ""],
    ["Viable", "1"],
    ["X-Forward", "1"],
    ["Second", "1"],
  ];
  expect(areUserHeadersAllowed(headers)).toBe(true);
  expect(areUserHeadersAllowed([])).toBe(true);
});

test.each([
  "Host",
  "host",
  "Connection",
  "Content-Length",
  "Transfer-Encoding",
  "TE",
  "Trailer",
  "Upgrade",
  "Expect",
  "Keep-Alive",
  "Forwarded",
  "Via",
  "Metadata",
  "Metadata-Flavor",
  "MetadataX",
  "Proxy-Authorization",
  "Proxy-Anything",
  "Sec-Fetch-Site",
  "X-Forwarded-For",
  "x-aws-ec2-metadata-token",
  "",
  "a b",
  "a:b",
  "nämé",
  "a\r\nHost",
  "host ",
])("E9 refuses the name %j", (name) => {
  expect(areUserHeadersAllowed([[name, "x"]])).toBe(false);
});

test.each(["a\r\nHost: x", "a\nb", "a\0", "a\tb", "a\u007f", "a\u0085"])(
  "E9 refuses the value %j",
  (value) => {
    expect(areUserHeadersAllowed([["X-A", value]])).toBe(false);
  },
);

test("E9 accepts at most 10 headers and 8 KiB", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at): Header => [`X-${at}`, "v"]);
  expect([areUserHeadersAllowed(many(10)), areUserHeadersAllowed(many(11))]).toEqual([true, false]);
  const long = (bytes: number): Header[] => [["X", "v".repeat(bytes - 1)]];
  expect([areUserHeadersAllowed(long(8192)), areUserHeadersAllowed(long(8193))]).toEqual([true, false]);
  expect(areUserHeadersAllowed([["X", "é".repeat(4096)]])).toBe(false);
});
