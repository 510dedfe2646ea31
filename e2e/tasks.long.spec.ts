// An alert on a text that is picked on a capture.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let page: Page;
let ids = { groupId: "", jobId: "" };

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product }) => {
  watching = await startWatching(product, mailOf("tasks-long"), { banner: "Only 45.40 today" });
  ids = await watching.watch({
    group: "Shops",
    name: "Lamp",
    values: [{ name: "number", by: "selector", rule: ".banner" }],
    alertIf: { match: "any", conditions: [{ what: "number", is: "below", name: "number", amount: 40 }] },
  });
  page = await watching.open(browser);
  await follow(page, `${product.url}/dashboard?view=jobs&job=${ids.jobId}`);
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const picker = () => page.getByRole("dialog", { name: "Pick on the page" });
const rulesOf = () => watching.call<{ alertIf: object | null }>("GET", `/api/jobs/${ids.jobId}`);

test("a text that is picked can be alerted on, too", async () => {
  await page.getByRole("button", { name: "Pick on the page" }).click();
  await picker()
    .getByRole("img", { name: "The page as it was captured" })
    .click({ position: { x: 200, y: 110 } });
  await picker().getByRole("button", { name: "Alert when this…" }).click(patient);
  await picker().getByLabel("Alert when this text").selectOption({ label: "says" });
  await picker().getByLabel("New text").fill("Sold out");
  await expectAccessible(page);
  await look(page, "picker-text");
  await picker().getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You’ll get an alert when “Sold out” is added.")).toBeVisible();
  expect((await rulesOf()).alertIf).toMatchObject({
    conditions: [{ what: "number" }, { what: "text", is: "added", text: "Sold out" }],
  });
});
