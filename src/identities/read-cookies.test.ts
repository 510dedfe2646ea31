import { expect, test } from "vitest";
import { readCookies } from "./read-cookies.ts";

const origins = ["https://shop.example"];
const now = Date.parse("2026-01-01T00:00:00Z");
const read = (pasted: string) => readCookies(pasted, origins, now);

test("a cookies.txt gives cookies with their domains, paths, ends and marks", () => {
  const file = [
    "# Netscape HTTP Cookie File",
    "#HttpOnly_.shop.example\tTRUE\t/\tTRUE\t1798761600\tsid\tabc=def",
    "shop.example\tFALSE\t/account\tFALSE\t0\ttheme\tdark “quoted” 😀",
    "shop.example\tFALSE\t/\tFALSE\t1000000000\told\tx",
    ".tracker.example\tTRUE\t/\tFALSE\t0\tid\t1",
  ].join("\r\n");
  const { jar, notes } = read(file);
  expect(jar).toEqual({
    cookies: [
      {
        name: "sid",
        value: "abc=def",
        domain: ".shop.example",
        path: "/",
        expires: 1_798_761_600,
        httpOnly: true,
        secure: true,
      },
      {
        name: "theme",
        value: "dark “quoted” 😀",
        domain: "shop.example",
        path: "/account",
        httpOnly: false,
        secure: false,
      },
    ],
    origins: [],
  });
  expect(notes.slice(1)).toEqual(["1 cookie of other sites left out.", "1 expired cookie left out."]);
});

test("a storageState gives cookies and local storage of the identity's sites", () => {
  const state = {
    cookies: [
      {
        name: "sid",
        value: "abc",
        domain: "shop.example",
        path: "/",
        expires: -1,
        httpOnly: true,
        secure: true,
        sameSite: "Lax",
      },
    ],
    origins: [
      { origin: "https://shop.example", localStorage: [{ name: "token", value: "t" }] },
      { origin: "https://other.example", localStorage: [{ name: "token", value: "u" }] },
    ],
  };
  expect(read(JSON.stringify(state))).toEqual({
    jar: {
      cookies: [
        {
          name: "sid",
          value: "abc",
          domain: "shop.example",
          path: "/",
          httpOnly: true,
          secure: true,
          sameSite: "Lax",
        },
      ],
      origins: [{ origin: "https://shop.example", local: [["token", "t"]], session: [], databases: [] }],
    },
    notes: [],
  });
});

test("the list of cookies that browser extensions export is read", () => {
  const list = [
    {
      name: "sid",
      value: "abc",
      domain: ".shop.example",
      expirationDate: 1_798_761_600.5,
      sameSite: "no_restriction",
    },
  ];
  expect(read(JSON.stringify(list)).jar.cookies).toMatchObject([
    { name: "sid", domain: ".shop.example", expires: 1_798_761_600.5, sameSite: "None" },
  ]);
});

test("a Cookie header is for the identity's sites only, with its limits said", () => {
  const { jar, notes } = read("Cookie: sid=a=b; theme=dark");
  expect(jar.cookies).toEqual([
    { name: "sid", value: "a=b", domain: "shop.example", path: "/", httpOnly: false, secure: true },
    { name: "theme", value: "dark", domain: "shop.example", path: "/", httpOnly: false, secure: true },
  ]);
  expect(notes).toEqual([expect.stringContaining("A Cookie header says neither how long")]);
});

test.each([
  ["hello", "This is neither a cookies.txt, nor a storageState, nor a Cookie header."],
  ["{", "This looks like JSON, but it can’t be read."],
  ['{"cookies":[{"name":1}]}', "This JSON is neither a storageState nor a list of cookies."],
  ["other.example\tFALSE\t/\tFALSE\t0\ta\tb", "There are no cookies of https://shop.example in it."],
  [
    "shop.example\tFALSE\t/\tFALSE\t1000000000\ta\tb",
    "All of these cookies have expired. Sign in again and copy them anew.",
  ],
])("what has no session in it is refused with a sentence: %j", (pasted, message) => {
  expect(() => read(pasted)).toThrow(message);
});
