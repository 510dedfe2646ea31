// One change of one page, as a search finds it and as a model judges it. src/server/routes/search.db.test.ts tests what a
// search finds, and second-opinion.db.test.ts there what a model's answers do.
import { expect, type Page } from "@playwright/test";
import { startModelServer } from "#second-opinion/testing/model-server.ts";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let model: Awaited<ReturnType<typeof startModelServer>>;
let jobId = "";
let page: Page;

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async ({ browser, product }) => {
  model = await startModelServer();
  model.state.reply = ({ blocks }) => {
    const cited = blocks.map(({ id }) => id);
    return JSON.stringify({ class: "routine", blocks: cited, sentence: "The line about payments changed." });
  };
  watching = await startWatching(product, mailOf("search"));
  ({ jobId } = await watching.watch({ group: "Programmes", name: "Acme scope" }));
  watching.site.page.rows[1] = "Payments are handled by somebody else";
  await watching.check(jobId, 2);
  page = await watching.open(browser);
});
test.afterAll(async () => {
  await watching.stop();
  await model.close();
});

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
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
});

const lowers = "Add its sentence, and move unimportant alerts to the daily digest";

test("a model is set up, and a wrong address is refused at its field", async () => {
  await follow(page, `${watching.product.url}/dashboard?view=profile&part=second-opinion`);
  await page.getByRole("button", { name: "Set up a model" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("http://10.0.0.1/v1");
  await dialog.getByLabel("Model").fill("llama3.1");
  await dialog.getByLabel("API key").fill("sk-secret");
  await dialog.getByLabel("Input price").fill("0.15");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("This address may not be requested")).toBeVisible();
  await dialog.getByLabel("Address").fill(`${model.url}/v1`);
  await look(page, "opinion-dialog");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Off: only tests ask it · key stored")).toBeVisible();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByText("1 of 1,000")).toBeVisible();
  await look(page, "opinion-profile");
  await expectAccessible(page);
});

test("a trial on the history shows the model's sentence, before it is switched on", async () => {
  await follow(page, `${watching.product.url}/dashboard?view=jobs&job=${jobId}`);
  await page.getByRole("button", { name: "Settings" }).click();
  const form = page.getByRole("dialog", { name: "Job Settings" });
  const trial = form.getByRole("region", { name: "Test on past alerts" });
  await trial.getByRole("button", { name: "Test on the last 5 alerts" }).click();
  await expect(
    trial.getByText("1 alert of 1 would have gone to the digest.", { exact: false }),
  ).toBeVisible();
  await expect(trial.getByText("“The line about payments changed.”")).toBeVisible();
  await trial.scrollIntoViewIfNeeded();
  await look(page, "opinion-job");
  await expectAccessible(page);
  await form.getByLabel("What the model is used for").selectOption({ label: lowers });
  await form.getByLabel("What matters to you").fill("Prices and refund terms");
  await form.getByRole("button", { name: "Save section" }).click();
  await expect(form.getByText("may move alerts to the digest")).toBeVisible();
});

test("an unimportant change is in the digest, with the model's words marked as such", async () => {
  await watching.call("PUT", "/api/second-opinion", {
    url: `${model.url}/v1`,
    model: "llama3.1",
    isOn: true,
    waitSeconds: 25,
  });
  watching.site.page.rows[1] = "Payments are handled by us again";
  const [changed] = await watching.check(jobId, 3);
  await expect
    .poll(async () => {
      const path = `/api/jobs/${jobId}/executions/${changed?.id}`;
      return (await watching.call<{ opinion: { lowered: boolean } | null }>("GET", path)).opinion?.lowered;
    })
    .toBe(true);
  await follow(page, `${watching.product.url}/dashboard?view=jobs&job=${jobId}&execution=${changed?.id}`);
  const viewer = page.getByRole("dialog", { name: "Acme scope" });
  await expect(viewer.getByText("“The line about payments changed.”")).toBeVisible({ timeout: 60_000 });
  await expect(viewer.getByText("Written by llama3.1, not checked by us.", { exact: false })).toBeVisible();
  await expect(viewer.getByText("Moved to the daily digest because of this opinion.")).toBeVisible();
  await look(page, "opinion-viewer");
  await expectAccessible(page);
});
