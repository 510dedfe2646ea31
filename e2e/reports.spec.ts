// Reports made on the screen, their public links, and exports that pass the verifier.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { type Download, expect, type Page } from "@playwright/test";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { escapeHtml } from "#contract/escape-html.ts";
import { test } from "./fixtures.ts";
import { isLong } from "./size.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, mailOf } from "./web/visitor.ts";

let watching: Watching;
let product: Watching["product"];
let page: Page;
let regionTexts: string[] = [];
const patient = { timeout: 60_000 };

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, mailOf("reports"));
  ({ product } = watching);
  const { call, site } = watching;
  const { token } = await call<{ token: string }>("GET", "/api/payment/prepare/ultimate");
  await call("POST", "/api/payment/sandbox/complete", { token });
  const { jobId } = await watching.watch({ group: "Clients", name: "Acme scope" });
  site.page.rows.push("pay.acme.example");
  const [changed, first] = await watching.check(jobId, 2);
  type Comparison = { regions: { says?: string; isNoise?: true }[] };
  const { regions } = await call<Comparison>(
    "GET",
    `/api/jobs/${jobId}/compare?from=${first?.id}&to=${changed?.id}`,
  );
  regionTexts = regions.flatMap(({ says, isNoise }) => (says && !isNoise ? [says] : []));
  page = await watching.open(browser);
});
test.afterAll(() => watching.stop());

const dialog = (name: string) => page.getByRole("dialog", { name });
const readDownload = async (file: Download) => readFile(await file.path());

/** The words of a PDF, read by a library that is not ours. */
async function wordsOf(pdf: Buffer): Promise<string> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await task.promise;
  const words: string[] = [];
  for (let page = 1; page <= document.numPages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent();
    words.push(...items.map((item) => ("str" in item ? item.str : "")));
  }
  await task.destroy();
  return words.join(" ").replace(/\s+/g, " ");
}

test("a report is made on the screen, downloaded as PDF and HTML, shared and deleted", async ({
  browser,
}) => {
  await follow(page, `${product.url}/dashboard?view=reports`);
  await expect(page.getByText("No report yet")).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "New report" }).first().click();
  await dialog("New report").getByRole("button", { name: "Create report" }).click();
  await expect(dialog("New report").getByRole("alert")).toHaveText("Choose at least one group.");
  await dialog("New report").getByRole("checkbox", { name: "Clients" }).check();
  await dialog("New report").getByLabel("Title").fill("November for Acme");
  await dialog("New report").getByLabel("Note").fill("As agreed.");
  await expectAccessible(page);
  await dialog("New report").getByRole("button", { name: "Create report" }).click();
  await expect(dialog("New report")).toBeHidden();
  const [pdf] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "PDF of November for Acme" }).click(patient),
  ]);
  const words = await wordsOf(await readDownload(pdf));
  expect(words).toContain("November for Acme");
  expect(regionTexts.length).toBeGreaterThan(0);
  // Both formats list the descriptions of the regions that are marked on the picture.
  for (const regionText of regionTexts) expect(words).toContain(`▪ ${regionText}`);
  const [html] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "HTML of November for Acme" }).click(),
  ]);
  const source = (await readDownload(html)).toString();
  for (const regionText of regionTexts) expect(source).toContain(`<li>${escapeHtml(regionText)}</li>`);
  const reader = await (await browser.newContext({ viewport: { width: 375, height: 800 } })).newPage();
  await reader.setContent(source);
  await expectAccessible(reader);
  await reader.context().close();
  await page.getByRole("button", { name: "Share November for Acme" }).click();
  await dialog("Share report").getByRole("button", { name: "Create link" }).click();
  const link = await dialog("Share report").getByLabel("Link", { exact: true }).inputValue();
  await expectAccessible(page);
  const stranger = await browser.newPage();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { level: 1 })).toHaveText("November for Acme");
  await expect(stranger.getByRole("img", { name: /Before and after/ })).toBeVisible();
  await stranger.close();
  await dialog("Share report").getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Delete November for Acme" }).click();
  await dialog("Delete report").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("No report yet")).toBeVisible();
  expect((await page.context().request.get(link)).status()).toBe(404);
});

test("a report schedule is saved and deleted", async () => {
  await page.getByRole("main").getByRole("button", { name: "New report" }).first().click();
  await dialog("New report").getByLabel("About").selectOption("search");
  await dialog("New report").getByLabel("Search").fill("nothing like it");
  await dialog("New report").getByLabel("How often").selectOption("week");
  await dialog("New report").getByRole("button", { name: "Save schedule" }).click();
  await expect(dialog("New report").getByRole("alert")).toHaveText(
    "No job’s name or URL contains “nothing like it”.",
  );
  await dialog("New report").getByLabel("Search").fill("acme");
  await dialog("New report").getByRole("button", { name: "Save schedule" }).click();
  await expect(page.getByText("Every Monday, next")).toBeVisible();
  await page.getByRole("button", { name: "Delete the schedule Jobs with “acme”" }).click();
  await expect(page.getByText("No schedules. You can repeat a new report")).toBeVisible();
});

// src/server/routes/evidence.db.test.ts gives the verifier a WACZ too.
for (const format of isLong ? ["ZIP", "WACZ"] : ["ZIP"]) {
  test(`the verifier finds an export as ${format} intact`, async () => {
    await follow(page, `${product.url}/dashboard?view=jobs`);
    await page.getByRole("main").getByText("Acme scope").first().click();
    await page.getByRole("button", { name: "Export data" }).click();
    await dialog("Export data").getByRole("radio", { name: format, exact: true }).check();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog("Export data")
        .getByRole("button", { name: `Export ${format}` })
        .click(),
    ]);
    const { stdout } = await promisify(execFile)("npm", [
      "run",
      "--silent",
      "verify",
      "--",
      await file.path(),
    ]);
    expect(stdout).toContain("INTACT: consistent; nothing outside this archive proves when it was made.");
    expect(stdout).toContain("2 executions");
  });
}
