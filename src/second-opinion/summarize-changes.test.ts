import { expect, test } from "vitest";
import { summarizeChanges } from "./summarize-changes.ts";

test("whatever fails, there is no summary, and what would carry it is sent without", async () => {
  const selectFrom = () => {
    throw new Error("the database is away");
  };
  const deps = { db: { selectFrom } } as unknown as Parameters<typeof summarizeChanges>[0];
  expect(await summarizeChanges(deps, "account", [])).toBeNull();
});
