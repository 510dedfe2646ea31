// A report of a job that is bought and downloaded on its screen, and the longest name on it.
import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, mailOf } from "./web/visitor.ts";

let watching: Watching;
let site: Watching["site"];
let page: Page;

const dialog = (name: string) => page.getByRole("dialog", { name });

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product }) => {
  watching = await startWatching(product, mailOf("jobs-long"));
  ({ site } = watching);
  const { jobId } = await watching.watch({ group: "Programmes", name: "Acme scope" });
  page = await watching.open(browser);
  await follow(page, `${product.url}/dashboard?view=jobs&job=${jobId}`);
});
test.afterAll(() => watching.stop());

test("a PDF report requires Ultimate and is then downloaded as a file", async () => {
  await page.getByRole("button", { name: "Export data" }).click();
  await dialog("Export data").getByRole("radio", { name: "PDF report" }).check();
  await expect(
    dialog("Export data").getByText("Report generation comes with Ultimate, 19$ a month."),
  ).toBeVisible();
  await expect(dialog("Export data").getByRole("button", { name: "Export PDF report" })).toBeDisabled();
  const paid = await page.evaluate(async () => {
    const prepared = await fetch("/api/payment/prepare/ultimate");
    const { token } = (await prepared.json()) as { token: string };
    const answer = await fetch("/api/payment/sandbox/complete", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    return answer.status;
  });
  expect(paid).toBe(200);
  await page.reload();
  await dialog("Export data").getByRole("radio", { name: "PDF report" }).check();
  await dialog("Export data").getByLabel("About", { exact: true }).selectOption("All jobs of its group");
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await dialog("Export data").getByRole("button", { name: "Export PDF report" }).click();
  const path = await (await download).path();
  expect((await download).suggestedFilename()).toBe("watchglass-Acme-scope.pdf");
  expect((await readFile(path)).subarray(0, 5).toString()).toBe("%PDF-");
  await expect(dialog("Export data")).toBeHidden();
});

test("the longest name and URL keep the buttons on screen", async () => {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByLabel("Name").fill("A name with very many words ".repeat(5).slice(0, 120));
  await form.getByLabel("URL", { exact: true }).fill(`${site.url}${"very/long/".repeat(30)}`);
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form).toBeHidden();
  for (const width of [600, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole("button", { name: "Settings" })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Run now" })).toBeInViewport({ ratio: 1 });
  }
});
