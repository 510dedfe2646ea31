// A model is set up in the profile, tried on a job's history, switched on, and its words are in the viewer.
// src/server/routes/second-opinion.db.test.ts tests what its answers do.
import { expect, type Page } from "@playwright/test";
import { startModelServer } from "#second-opinion/testing/model-server.ts";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let model: Awaited<ReturnType<typeof startModelServer>>;
let jobId = "";
const lowers = "Add its sentence, and move unimportant alerts to the daily digest";
let page: Page;

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async ({ browser, product }) => {
  model = await startModelServer();
  model.state.reply = ({ blocks }) => {
    const cited = blocks.map(({ id }) => id);
    return JSON.stringify({ class: "routine", blocks: cited, sentence: "The line about payments changed." });
  };
  watching = await startWatching(product, mailOf("second-opinion"));
  ({ jobId } = await watching.watch({ group: "Programmes", name: "Acme scope" }));
  watching.site.page.rows[1] = "Payments are handled by somebody else";
  await watching.check(jobId, 2);
  page = await watching.open(browser);
});
test.afterAll(async () => {
  await watching.stop();
  await model.close();
});

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
