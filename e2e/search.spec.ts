// Incidents, and something that is searched for on the screen, with filters, its context and a way to the execution that first saw it.
// src/server/routes/search.db.test.ts tests what a search finds.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let jobId = "";
let groupId = "";
let page: Page;

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async ({ browser, product }) => {
  watching = await startWatching(product, mailOf("search"));
  ({ jobId, groupId } = await watching.watch({ group: "Programmes", name: "Acme scope" }));
  watching.site.page.rows[1] = "Payments are handled by somebody else";
  await watching.check(jobId, 2);
  page = await watching.open(browser);
});
test.afterAll(() => watching.stop());

const results = () => page.getByRole("region", { name: "Results" });

test("a text is found with since when and until when, and leads to its execution", async () => {
  await follow(page, `${watching.product.url}/dashboard?view=search`);
  await expect(page.getByText("Search everything your pages have shown")).toBeVisible();
  await look(page, "search-empty");
  await page.getByRole("link", { name: "Status codes" }).click();
  await expect(results().getByRole("listitem").filter({ hasText: "200" }).first()).toContainText(
    "still there",
  );
  await look(page, "search-list");
  await page.getByLabel("Kind").selectOption({ label: "Everything" });
  await page.getByLabel("Search for").fill("handled by somebody");
  await page.getByLabel("Search for").press("Enter");
  const line = results().getByRole("listitem").first();
  await expect(line.getByText("Payments are handled by somebody else")).toBeVisible();
  await expect(line.locator("mark")).toHaveText("handled by somebody");
  await expect(results().getByRole("status")).toContainText("on 1 page, still there");
  await line.getByRole("button", { name: "Show the lines around it" }).click();
  await expect(line.getByText(String(watching.site.page.rows[0]))).toBeVisible();
  await look(page, "search-found");
  await expectAccessible(page);
  const [newest] = await watching.executions(jobId, 2);
  await line.getByRole("link", { name: /^first seen/ }).click();
  await expect(page).toHaveURL(new RegExp(`job=${jobId}&execution=${newest?.id}`));
  await page.goBack();
  await expect(line).toBeVisible();
});

test("pages that changed in the same way are one incident", async () => {
  const { site, call, executions } = watching;
  const shop = { url: `${site.url}?shop`, name: "Acme shop", frequency: 60, groupId };
  const { job } = await call<{ job: { id: string } }>("POST", "/api/jobs/create", shop);
  const other = job.id;
  await executions(other, 1);
  site.page.rows[1] = "Payments are handled by a bank";
  for (const id of [jobId, other]) await call("POST", `/api/jobs/${id}/run`);
  await executions(jobId, 3);
  await executions(other, 2);
  await page.getByRole("link", { name: "Incidents" }).click();
  const incident = page.getByRole("region", { name: "Incidents" }).getByRole("listitem").first();
  await expect(incident).toContainText("on 2 pages");
  await incident.getByRole("button", { name: "Show the pages" }).click();
  await expect(incident.getByText("Added · Visible text: Payments are handled by a bank")).toBeVisible();
  await expect(incident.getByRole("link", { name: "Acme shop" })).toBeVisible();
  await look(page, "incidents");
  await expectAccessible(page);
  const incidents = page.getByRole("checkbox", { name: /to merge it$/ });
  await incident.getByLabel("Select Acme shop to move it").check();
  await incident.getByRole("button", { name: "Move 1 change to an incident of its own" }).click();
  await expect(incidents).toHaveCount(2);
  for (const one of await incidents.all()) await one.check();
  await look(page, "incidents-merge");
  await page.getByRole("button", { name: "Merge into one" }).click();
  await expect(incidents).toHaveCount(1);
  await incident.getByRole("button", { name: "This is noise" }).click();
  await expect(incident.getByText("All changes are marked as noise.")).toBeVisible();
  await look(page, "incidents-noise");
  await incident.getByRole("button", { name: "Undo" }).click();
  await expect(incident.getByRole("button", { name: "This is noise" })).toBeVisible();
  await follow(page, `${watching.product.url}/dashboard?view=search&q=handled%20by%20somebody`);
});

test("a search becomes an alert, tried on the past first", async () => {
  await page.getByRole("button", { name: "Alert me about this" }).click();
  const dialog = page.getByRole("dialog", { name: "New search alert" });
  await expect(dialog.getByLabel("Alert me when this first appears")).toHaveValue("handled by somebody");
  await dialog.getByRole("button", { name: "Test on history" }).click();
  await expect(dialog.getByRole("status")).toContainText("it would have found 1 line.");
  await look(page, "search-alert");
  await expectAccessible(page);
  await dialog.getByLabel("Start from").selectOption({ label: "Leaked secret: AWS access key" });
  await dialog.getByRole("button", { name: "Test on history" }).click();
  await expect(dialog.getByRole("status")).toContainText("it would have found 0 lines.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  const alerts = page.getByRole("region", { name: "Search alerts" });
  await expect(alerts.getByRole("listitem")).toContainText("AWS access key");
  await look(page, "search-alerts");
  await expectAccessible(page);
  await alerts.getByRole("button", { name: "Delete the search alert AWS access key" }).click();
  await expect(alerts.getByText("No search alerts yet.")).toBeVisible();
});

test("filters are in the URL; a search that can't be done says why", async () => {
  await page.getByLabel("Kind").selectOption({ label: "Link" });
  await expect(results().getByText("Nothing found")).toBeVisible();
  await look(page, "search-nothing");
  expect(new URL(page.url()).searchParams.get("kind")).toBe("link");
  await page.getByLabel("Match", { exact: true }).selectOption({ label: "Regular expression" });
  await page.getByLabel("Search for").fill(".*");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(results().getByText("needs a fixed part of three characters")).toBeVisible();
  await page.setViewportSize({ width: 375, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await look(page, "search-refused");
  await expectAccessible(page);
});
