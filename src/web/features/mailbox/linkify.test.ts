import { expect, test } from "vitest";
import { linkify } from "./linkify.ts";

const links = (text: string) => linkify(text).flatMap((part) => part.href ?? []);

test("a link keeps its query but not the sentence's period", () => {
  expect(links("Open http://localhost:3000/recover/a_b-c?x=1&y=2. Thanks (https://x.example/a).")).toEqual([
    "http://localhost:3000/recover/a_b-c?x=1&y=2",
    "https://x.example/a",
  ]);
});

test("only http and https addresses become links", () => {
  expect(
    links("javascript:alert(1) data:text/html,x ftp://x.example //x.example file:///etc/passwd http://"),
  ).toEqual([]);
});

test("no character is lost or moved", () => {
  const text = "a http://x.example/1, b\n<https://y.example> c";
  const parts = linkify(text);
  expect(parts.map((part) => part.text).join("")).toBe(text);
  for (const part of parts) expect(text.slice(part.at).startsWith(part.text)).toBe(true);
});
