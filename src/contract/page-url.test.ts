import { expect, test } from "vitest";
import { toPageUrl, toPlainHttp } from "./page-url.ts";

test.each([
  [" shop.example/login ", "https://shop.example/login"],
  ["example.com", "https://example.com"],
  ["//example.com/a", "https://example.com/a"],
  ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/"],
  ["HTTPS://Example.com/", "HTTPS://Example.com/"],
  ["localhost:3000", "https://localhost:3000"],
  ["\u200bexample.com\ufeff\n", "https://example.com"],
  ["münchen.example/straße", "https://münchen.example/straße"],
  ["example.com/{{date:yyyy}}", "https://example.com/{{date:yyyy}}"],
  ["ftp://example.com", "ftp://example.com"],
  ["", ""],
  ["   ", ""],
])("the input %j is the page %j", (typed, url) => expect(toPageUrl(typed)).toBe(url));

test("an international name is requested by its ASCII form", () => {
  expect(new URL(toPageUrl("münchen.example")).host).toBe("xn--mnchen-3ya.example");
});

test("only an https URL has a form over plain HTTP", () => {
  expect(toPlainHttp("https://a.example/https")).toBe("http://a.example/https");
  expect(toPlainHttp("http://a.example")).toBeNull();
});
