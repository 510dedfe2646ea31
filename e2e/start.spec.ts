// Starts that fail. What a start that succeeds prints and does is in notify.spec.ts, which has a product of its own.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";
import { failToStart, makeDataDir, removeDataDir } from "./product.ts";

test("with a DATA_DIR that is not writable the start prints one sentence and exits with 1", async () => {
  const folder = await makeDataDir();
  // A file in the path stops root too; permissions would not.
  await writeFile(join(folder, "file"), "");
  const { code, output } = await failToStart({ DATA_DIR: join(folder, "file", "data") });
  expect([code, output]).toEqual([
    1,
    `DATA_DIR ${join(folder, "file", "data")} is not writable (ENOTDIR).\n`,
  ]);
  await removeDataDir(folder);
});

test("with an invalid variable the start prints one sentence that names it, no stack, and exits with 1", async () => {
  const { code, output } = await failToStart({ PORT: "banana" });
  expect([code, output]).toEqual([1, "PORT must be a number.\n"]);
});
