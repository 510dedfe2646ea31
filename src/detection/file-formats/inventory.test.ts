import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { type InventoryLine, isInventory, readInventory, writeInventory } from "./inventory.ts";

const page = (path: string, more: Partial<InventoryLine> = {}): InventoryLine => ({
  address: `https://shop.example${path}`,
  state: 200,
  movedTo: null,
  title: `Page ${path}`,
  scriptHosts: [],
  ...more,
});
const others = Array.from({ length: 40 }, (_, n) => page(`/item/${n}`));

function verdictOf(before: InventoryLine[], after: InventoryLine[]) {
  const [old, now] = [before, after].map((lines) =>
    snapshotOf(writeInventory([...lines, ...others]), "text", "https://shop.example/"),
  );
  if (!old || !now) throw new Error("two captures");
  return compare(old, now, emptyMemory()).verdict;
}

const redirect = page("/a", { state: 301, movedTo: "https://shop.example/b", title: "" });

test.for<[what: string, before: InventoryLine[], after: InventoryLine[], summary: string, severity: string]>([
  ["a new page", [], [page("/new")], "Appeared: https://shop.example/new “Page /new”", "important"],
  [
    "a page that is gone",
    [page("/a")],
    [page("/a", { state: 404 })],
    "Vanished: https://shop.example/a “Page /a”",
    "notice",
  ],
  [
    "a page that is back",
    [page("/a", { state: 410 })],
    [page("/a")],
    "Back again: https://shop.example/a “Page /a”",
    "important",
  ],
  [
    "a page that moved",
    [page("/a")],
    [redirect],
    "Moved to https://shop.example/b: https://shop.example/a",
    "notice",
  ],
  [
    "a redirect that ended",
    [redirect],
    [page("/a")],
    "No longer redirected: https://shop.example/a “Page /a”",
    "notice",
  ],
  [
    "another status",
    [page("/a")],
    [page("/a", { state: 500 })],
    "Status 200 → 500: https://shop.example/a “Page /a”",
    "notice",
  ],
  [
    "another title",
    [page("/a")],
    [page("/a", { title: "Sale" })],
    "Title “Page /a” → “Sale”: https://shop.example/a",
    "notice",
  ],
  [
    "a new script host",
    [page("/a")],
    [page("/a", { scriptHosts: ["cdn.evil.example"] })],
    "New script host: cdn.evil.example",
    "important",
  ],
  [
    "a path in a script",
    [],
    [page("/api/v2", { state: "script", title: "" })],
    "Named in a script: https://shop.example/api/v2",
    "important",
  ],
  [
    "a new link that leads nowhere",
    [],
    [page("/a", { state: 404, title: "" })],
    "New broken link: https://shop.example/a",
    "notice",
  ],
  [
    "several",
    [page("/a")],
    [page("/b"), page("/c")],
    "3 addresses (2 appeared, 1 vanished): Appeared: https://shop.example/b “Page /b”",
    "important",
  ],
])("%s is said in words", ([, before, after, summary, severity]) => {
  expect(verdictOf(before, after)).toMatchObject({ changed: true, summary, severity });
});

test("a script of a known host on one more page is said of that page, not of the site", () => {
  const known = page("/a", { scriptHosts: ["cdn.example"] });
  const { summary } = verdictOf([known, page("/b")], [known, page("/b", { scriptHosts: ["cdn.example"] })]);
  expect(summary).toBe("Script hosts of https://shop.example/b: none → cdn.example");
});

test("the same pages are no change, and every change of one run is counted exactly", () => {
  expect(verdictOf([page("/a")], [page("/a")]).changed).toBe(false);
  const many = Array.from({ length: 300 }, (_, n) => page(`/new/${n}`));
  expect(verdictOf([], many).reasons).toMatchObject([{ kind: "content", count: 300 }]);
});

test("an inventory is read as it was written, also a part of it; other lines of text are none", () => {
  const lines = [
    redirect,
    page("/a", { scriptHosts: ["a.example", "b.example:8080"], title: "Tab\tand\nline" }),
  ];
  const text = writeInventory(lines);
  expect(isInventory(text)).toBe(true);
  expect(readInventory(text)).toEqual([redirect, { ...lines[1], title: "Tab and line" }]);
  expect(isInventory("https://shop.example/\nhttps://shop.example/a")).toBe(false);
  expect(isInventory("")).toBe(false);
});
