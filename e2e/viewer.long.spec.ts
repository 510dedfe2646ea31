// A capture of bytes that aren't text, in the viewer.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { mailOf } from "./web/visitor.ts";

let watching: Watching;
let product: Watching["product"];
let site: Watching["site"];
let page: Page;
let groupId = "";

const patient = { timeout: 60_000 };

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, mailOf("viewer-long"));
  ({ product, site } = watching);
  ({ id: groupId } = await watching.call<{ id: string }>("POST", "/api/jobs/groups", { name: "Programmes" }));
  page = await watching.open(browser);
});
test.afterAll(() => watching.stop());

test("V3 a null byte is shown as U+0000", async () => {
  const { job } = await watching.call<{ job: { id: string } }>("POST", "/api/jobs/create", {
    name: "Raw bytes",
    url: `${site.url}raw`,
    frequency: 60,
    groupId,
  });
  const [first] = await watching.executions(job.id, 1);
  await page.goto(`${product.url}/dashboard?view=jobs&job=${job.id}&execution=${first?.id}&show=html&raw=1`);
  const shown = page.getByRole("dialog", { name: "Raw bytes" });
  await expect(shown.getByText("U+0000")).toBeVisible(patient);
  await expect(shown.getByText(/^a null U\+0000 byte$/)).toBeVisible();
});
