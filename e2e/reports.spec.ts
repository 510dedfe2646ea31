// What was seen is handed on: reports by the screen, their links, exports that check themselves.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { type Download, expect, type Page, test } from "@playwright/test";
import { type ChangingSite, startChangingSite } from "./changing-site.ts";
import { type Product, removeDataDir, startProduct } from "./product.ts";
import { expectSound, makeAccount, signIn } from "./web/visitor.ts";

let product: Product;
let site: ChangingSite;
let page: Page;
const email = "reports@example.com";
const patient = { timeout: 60_000 };

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser }) => {
  site = await startChangingSite();
  product = await startProduct({ EGRESS_ALLOW: site.host });
  await makeAccount(product, email);
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page, product, email);
});
test.afterAll(async () => {
  await page.context().close();
  await product.stop();
  site.close();
  await removeDataDir(product.dataDir);
});

const api = async <T>(method: string, path: string, data?: unknown): Promise<T> => {
  const answer = await page.context().request.fetch(product.url + path, {
    method,
    headers: { origin: product.url },
    ...(data ? { data } : {}),
  });
  expect(answer.ok(), `${method} ${path} ${await answer.text()}`).toBe(true);
  return (await answer.json()) as T;
};
const dialog = (name: string) => page.getByRole("dialog", { name });
const saved = async (file: Download) => readFile(await file.path());

test("a page is watched, and changes", async () => {
  const { token } = await api<{ token: string }>("GET", "/api/payment/prepare/ultimate");
  await api("POST", "/api/payment/sandbox/complete", { token });
  const group = await api<{ id: string }>("POST", "/api/jobs/groups", { name: "Clients" });
  const { job } = await api<{ job: { id: string } }>("POST", "/api/jobs/create", {
    name: "Acme scope",
    url: site.url,
    frequency: 60,
    groupId: group.id,
  });
  const count = async () =>
    (await api<{ executionsTotal: number }>("GET", `/api/jobs/${job.id}`)).executionsTotal;
  await expect.poll(count, patient).toBe(1);
  site.page.rows.push("pay.acme.example");
  await api("POST", `/api/jobs/${job.id}/run`);
  await expect.poll(count, patient).toBe(2);
});

test("a report is made by the screen, downloaded in both forms, shared and deleted", async ({ browser }) => {
  await page.goto(`${product.url}/dashboard?view=reports`);
  await expect(page.getByText("No report yet")).toBeVisible();
  await expectSound(page);
  await page.getByRole("main").getByRole("button", { name: "New report" }).first().click();
  await dialog("New report").getByRole("button", { name: "Make report" }).click();
  await expect(dialog("New report").getByRole("alert")).toHaveText("Choose at least one group.");
  await dialog("New report").getByRole("checkbox", { name: "Clients" }).check();
  await dialog("New report").getByLabel("Title").fill("November for Acme");
  await dialog("New report").getByLabel("Note").fill("As agreed.");
  await expectSound(page);
  await dialog("New report").getByRole("button", { name: "Make report" }).click();
  await expect(dialog("New report")).toBeHidden();
  const [pdf] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "PDF of November for Acme" }).click(patient),
  ]);
  expect((await saved(pdf)).subarray(0, 5).toString()).toBe("%PDF-");
  const [html] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "HTML of November for Acme" }).click(),
  ]);
  expect((await saved(html)).toString()).toContain("pay.acme.example");
  await page.getByRole("button", { name: "Share November for Acme" }).click();
  await dialog("Share report").getByRole("button", { name: "Create link" }).click();
  const link = await dialog("Share report").getByLabel("Link", { exact: true }).inputValue();
  await expectSound(page);
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

test("a schedule is kept and deleted", async () => {
  await page.getByRole("main").getByRole("button", { name: "New report" }).first().click();
  await dialog("New report").getByLabel("About").selectOption("search");
  await dialog("New report").getByLabel("Search").fill("nothing like it");
  await dialog("New report").getByLabel("How often").selectOption("week");
  await dialog("New report").getByRole("button", { name: "Keep schedule" }).click();
  await expect(dialog("New report").getByRole("alert")).toHaveText(
    "No job's name or address contains “nothing like it”.",
  );
  await dialog("New report").getByLabel("Search").fill("acme");
  await dialog("New report").getByRole("button", { name: "Keep schedule" }).click();
  await expect(page.getByText("Every Monday, next")).toBeVisible();
  await page.getByRole("button", { name: "Delete the schedule Jobs with “acme”" }).click();
  await expect(page.getByText("None. A new report can be repeated")).toBeVisible();
});

for (const format of ["ZIP", "WACZ"]) {
  test(`an export as ${format} checks itself`, async () => {
    await page.goto(`${product.url}/dashboard?view=jobs`);
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
    expect(stdout).toContain("INTACT: everything in this export is as it was sealed.");
    expect(stdout).toContain("2 executions");
  });
}
