// Pages that changed in the same way, as an incident that is split, merged and marked as noise.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let jobId = "";
let groupId = "";
let page: Page;

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async ({ browser, product }) => {
  watching = await startWatching(product, mailOf("incidents"));
  ({ jobId, groupId } = await watching.watch({ group: "Programmes", name: "Acme scope" }));
  watching.site.page.rows[1] = "Payments are handled by somebody else";
  await watching.check(jobId, 2);
  page = await watching.open(browser);
});
test.afterAll(() => watching.stop());

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
});
