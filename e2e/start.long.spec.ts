// The demo as a visitor opens it, with the site that it watches.
import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";
import { type OwnProduct, removeDataDir, startProduct } from "./product.ts";

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
});
