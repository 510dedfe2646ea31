// Keys, feeds and moving in, on the profile's screen as a person sees them; what they make works outside.
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { type Product, removeDataDir, startProduct } from "../product.ts";
import { expectSound, makeAccount, signIn } from "./visitor.ts";

// A folder for pictures of the cards, for whoever wants to see them.
const pictures = process.env.WAYS_PICTURES;

let product: Product;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  product = await startProduct({ EGRESS_ALLOW: "127.0.0.0/8" });
  await makeAccount(product, "ways@example.com");
});
test.afterAll(async () => {
  await product.stop();
  await removeDataDir(product.dataDir);
});

test("a key, a feed and an import, from the screen to the outside", async ({ page }) => {
  await signIn(page, product, "ways@example.com");
  await page.goto(`${product.url}/dashboard?view=profile`);
  await page.getByRole("button", { name: "New key" }).click();
  await page
    .getByLabel("Name", { exact: true })
    .fill("Nightly cron on the build server with a rather long name");
  await page.getByRole("radio", { name: /^write/ }).check();
  if (pictures) await page.screenshot({ path: join(pictures, "new-key.png") });
  await expectSound(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const key = await page.getByLabel("API key", { exact: true }).inputValue();
  expect(key).toMatch(/^wg_/);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("never used")).toBeVisible();
  const me = await fetch(`${product.url}/api/me`, { headers: { authorization: `Bearer ${key}` } });
  expect(((await me.json()) as { email: string }).email).toBe("ways@example.com");

  const list = "url,group,minutes\nhttp://127.0.0.1:9/one,Shops,5\nhttp://169.254.169.254/,Shops,60\n";
  await page.getByLabel("File to import").setInputFiles({
    name: "watches.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(list),
  });
  const dialog = page.getByRole("dialog", { name: "Import watches.csv" });
  await expect(dialog).toContainText("CSV: 1 job, and 1 that cannot be. Nothing is made yet.");
  await expect(dialog).toContainText("Checked every 60 minutes, not 5: your plan allows no less.");
  if (pictures) await page.screenshot({ path: join(pictures, "import.png") });
  await expectSound(page);
  await dialog.getByRole("button", { name: "Import 1 job" }).click();
  await expect(page.getByText("1 job imported.")).toBeVisible();
  await page.getByLabel("File to import").setInputFiles({
    name: "broken.json",
    mimeType: "application/json",
    buffer: Buffer.from("{"),
  });
  await expect(page.getByText("The file begins as JSON and is none.")).toBeVisible();

  await page.getByLabel("New feed of").selectOption({ label: "Imported / 127.0.0.1:9/one" });
  await page.getByRole("button", { name: "Create feed" }).click();
  const address = await page.getByRole("link", { name: "Atom" }).getAttribute("href");
  const feed = await fetch(address ?? "");
  expect([feed.status, await feed.text()]).toEqual([
    200,
    expect.stringContaining("Watchglass: 127.0.0.1:9/one"),
  ]);
  await page.getByRole("button", { name: /^Renew the address/ }).click();
  await expect(page.getByText("The old address does not work any more.")).toBeVisible();
  expect((await fetch(address ?? "")).status).toBe(404);

  for (const [width, scheme] of [
    [1280, "light"],
    [640, "dark"],
    [375, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await expectSound(page);
    if (pictures)
      await page.screenshot({ path: join(pictures, `profile-${width}-${scheme}.png`), fullPage: true });
  }
  await page.getByRole("button", { name: /^Revoke the key/ }).click();
  await expect(page.getByText("No keys yet")).toBeVisible();
  expect((await fetch(`${product.url}/api/me`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(
    401,
  );
});
