import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { emptyMemory } from "./noise-memory.ts";
import { snapshotOf } from "./snapshot-of.ts";

const page = (body: string) =>
  snapshotOf(`<title>Shop</title><main>${body}</main>`, "html", "https://example.com/");
const shop = "<p>Lamps, chairs and tables, made of oak and sent to your door within a week.</p>".repeat(8);
const lure = "<h1>Verify you are human</h1><p>Press Windows + R, then Ctrl + V and Enter to prove it.</p>";

test.for([
  ["in its place", lure],
  ["on top of it", `${lure}${shop}`],
])("a page that asks for a command %s is critical", ([, body = ""]) => {
  const { verdict } = compare(page(shop), page(body), emptyMemory());
  expect(verdict).toMatchObject({ changed: true, severity: "critical" });
  expect(verdict.summary).toMatch(/^Page asks its visitors to run a command by hand/);
});

test("a page that always explained such keys is edited like any other", () => {
  const { verdict } = compare(page(lure + shop), page(`${lure}${shop}<p>More chairs</p>`), emptyMemory());
  expect(verdict.severity).toBe("notice");
});
