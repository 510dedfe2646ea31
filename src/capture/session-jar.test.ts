import { expect, test } from "vitest";
import { belongsTo, type JarCookie, tokensOf } from "./session-jar.ts";

const cookie = (name: string, value: string, httpOnly = false): JarCookie => ({
  name,
  value,
  domain: "shop.example",
  path: "/",
  httpOnly,
  secure: true,
});

test("tokens of a session are told apart from words, paths and names of files", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N";
  const cookies = [
    cookie("sid", "only-letters", true),
    cookie("lang", "english"),
    cookie("csrf", "8f14e45fceea167a5a36"),
  ];
  const local: [string, string][] = [
    ["auth", JSON.stringify({ access: jwt, refresh: "t0kenOfTwentyFourSigns99" })],
    ["last", JSON.stringify({ page: "/orders/2024/january", at: "2026-01-01T10:00:00Z" })],
    ["script", "https://cdn.shop.example/jquery-3.6.0.min.js"],
  ];
  const origins = [{ origin: "https://shop.example", local, session: [], databases: [] }];
  expect(tokensOf({ cookies, origins }).toSorted()).toEqual(
    [jwt, "t0kenOfTwentyFourSigns99", "8f14e45fceea167a5a36", "only-letters"].toSorted(),
  );
});

test("cookies of an identity's sites and of the domains above them belong to it", () => {
  const origins = ["https://www.shop.example"];
  expect(
    ["www.shop.example", ".shop.example", "shop.example"].map((each) => belongsTo(each, origins)),
  ).toEqual([true, true, true]);
  expect([".example", "evil-shop.example", "other.example"].map((each) => belongsTo(each, origins))).toEqual([
    false,
    false,
    false,
  ]);
});
