import pg from "pg";
import { expect, test } from "vitest";
import { isRefusal } from "./await-database.ts";

const fromServer = (code: string) => Object.assign(new pg.DatabaseError("no", 2, "error"), { code });

test.each([
  ["a wrong password", fromServer("28P01"), true],
  ["an unknown database", fromServer("3D000"), true],
  ["a server that is starting", fromServer("57P03"), false],
  ["a server that was just killed", fromServer("57P02"), false],
  // As long as a code of PostgreSQL, but from the operating system: the server ended while we were writing to it.
  ["a connection that broke", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }), false],
  ["nobody who listens", Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), false],
])("%s", (_, error, expected) => {
  expect(isRefusal(error)).toBe(expected);
});
