import { readFileSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";
import {
  descendants,
  failToStart,
  freePort,
  makeDataDir,
  type OwnProduct,
  removeDataDir,
  startProduct,
} from "./product.ts";

function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

// The start after a kill -9 is tested in notify.spec.ts.
test.describe("a product with the demo", () => {
  let product: OwnProduct;
  test.beforeAll(async () => {
    // The demo site takes the next port: two in a row, outside the range from which the system assigns ports.
    const port = 20_000 + 2 * Math.floor(Math.random() * 5_000);
    product = await startProduct({ DEMO: "1", PORT: String(port) });
  });
  test.afterAll(async () => {
    await product.stop();
    await removeDataDir(product.dataDir);
  });

  test("the Demo button opens a read-only account that watches the demo site", async ({ page }) => {
    await page.goto(product.url);
    await page.getByRole("button", { name: "Demo" }).click();
    await page.waitForURL(`${product.url}/dashboard`);
    await page.goto(`${product.url}/dashboard?view=jobs`);
    for (const name of ["Shop front", "Status page", "Release notes", "Sign-in form"]) {
      await expect(page.getByRole("main").getByText(name).first()).toBeVisible();
    }
    await page.getByRole("main").getByText("Sign-in form").first().click();
    // The demo site is up and the guard lets the check reach it.
    await expect(page.getByText("200", { exact: true }).first()).toBeVisible({ timeout: 60_000 });
    const refused = await page.evaluate(async () => {
      const answer = await fetch("/api/jobs/groups", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "Mine" }),
      });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    });
    expect(refused).toEqual([403, "DEMO_READ_ONLY"]);
  });

  test("the product prints its URL, protects its secrets and DATA_DIR, and stops everything it started", async () => {
    expect(product.output()).toMatch(
      /\n {2}Watchglass is at {2}http:\/\/localhost:\d+\n {2}Mails are at {6}\S+\/mailbox\n {2}Plans are sold {4}by the sandbox: plans cost nothing\n {2}Stop it with {6}Ctrl\+C\n/,
    );
    for (const name of ["session-secret", "data-key"])
      expect((await stat(join(product.dataDir, name))).mode & 0o777, name).toBe(0o600);
    const secondStart = await failToStart({ DATA_DIR: product.dataDir, PORT: String(await freePort()) });
    expect([secondStart.code, secondStart.output]).toEqual([
      1,
      `DATA_DIR ${product.dataDir} is in use by another Watchglass; stop it or set DATA_DIR.\n`,
    ]);
    expect((await fetch(new URL("/readyz", product.url))).status).toBe(200);
    // This is the process itself, not a shell around it, with the variables that must be set before it starts.
    expect(readFileSync(`/proc/${product.process.pid}/environ`, "utf8")).toContain("MALLOC_MMAP_THRESHOLD_=");
    const startedPids = await descendants(product.process.pid ?? 0);
    expect(startedPids.length).toBeGreaterThan(0);
    expect(await product.stop()).toBe(0);
    // The system's init process reaps the browser's orphans at some later time.
    await expect.poll(() => startedPids.filter(isRunning)).toEqual([]);
  });
});

test("with a taken PORT the start prints one sentence, exits with 1 and leaves nothing running", async () => {
  const portHolder = createServer();
  await new Promise<void>((resolve) => portHolder.listen(0, "127.0.0.1", resolve));
  const { port } = portHolder.address() as { port: number };
  const dataDir = await makeDataDir();
  const { code, output } = await failToStart({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn" });
  expect([code, output]).toEqual([1, `PORT ${port} is taken; set PORT to another.\n`]);
  await new Promise((resolve) => portHolder.close(resolve));
  await removeDataDir(dataDir);
});

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
