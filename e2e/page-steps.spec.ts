// Steps before the capture as a user sets them: pasted, edited, tried with a picture of each, saved, and seen in the
// viewer when one fails. What each kind of step does on a page is in src/capture/page-steps.browser.test.ts.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let page: Page;
let ids: { groupId: string; jobId: string };

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, mailOf("page-steps"), { extra: '<input type="search">' });
  ids = await watching.watch({ group: "Shops", name: "Behind a form" });
  page = await watching.open(browser);
  page.setDefaultTimeout(30_000);
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const recording = JSON.stringify({
  title: "Search",
  steps: [
    { type: "click", selectors: [["#gone"], ["text/Acme bug bounty"]] },
    { type: "change", selectors: [["[type=search]"]], value: "lamp" },
    { type: "waitForExpression", expression: "true" },
    { type: "change", selectors: [["#password"]], value: "s3cret" },
  ],
});

test("a recording is pasted, edited, tried with a picture of each step, and saved", async () => {
  await page.goto(
    `${watching.product.url}/dashboard?view=jobs&group=${ids.groupId}&job=${ids.jobId}&dialog=settings`,
  );
  const section = page.locator("form[data-section=page-steps]");
  await section.scrollIntoViewIfNeeded();
  await section.getByRole("button", { name: "Paste a recording" }).click();
  await section.getByLabel("Recording", { exact: true }).fill(recording);
  await section.getByRole("button", { name: "Add its steps" }).click();
  await expect(section.getByText("Step 3 is left out: it runs code in the page")).toBeVisible();
  await expect(section.getByText("1. Click “Acme bug bounty”")).toBeVisible();
  await expect(section.getByText("3. Enter “{{secret.password}}” in #password")).toBeVisible();
  await expect(section.getByLabel("Name of secret 1")).toHaveValue("password");
  await expectAccessible(page);
  await look(page, "page-steps-pasted");
  await section.getByRole("button", { name: "Close" }).click();
  await section.getByRole("button", { name: "Edit step 3" }).click();
  await section.getByLabel("Step 3", { exact: true }).selectOption("Wait for text");
  await section.getByLabel("Text", { exact: true }).fill("www.acme.example");
  await look(page, "page-steps-edited");
  await section.getByRole("button", { name: "Try now" }).click();
  await expect(section.getByText("Only its text still finds the element")).toBeAttached(patient);
  const runs = section.locator("details");
  await expect(runs).toHaveCount(3);
  await runs.first().locator("summary").click();
  const picture = runs.first().getByRole("img", { name: "The page after step 1" });
  await expect(picture).toBeVisible();
  const width = `document.querySelector('img[alt="The page after step 1"]').naturalWidth`;
  await expect.poll(() => page.evaluate(width)).toBe(1280);
  await expectAccessible(page);
  await look(page, "page-steps-tried");
  await section.getByRole("button", { name: "Save section" }).click();
  await expect
    .poll(
      async () => (await watching.call<{ pageSteps: object[] }>("GET", `/api/jobs/${ids.jobId}`)).pageSteps,
    )
    .toHaveLength(3);
});

test("a failed step is shown with its picture, and the steps of a check are listed", async () => {
  await watching.call("PATCH", `/api/jobs/${ids.jobId}`, {
    pageSteps: [{ type: "keyDown", key: "Jump" }],
  });
  const [failed] = await watching.check(ids.jobId, 2);
  await page.goto(`${watching.product.url}/dashboard?view=jobs&job=${ids.jobId}&execution=${failed?.id}`);
  const message = "Step 1 failed (Press Jump): There is no key “Jump”.";
  await expect(page.getByText(message).first()).toBeVisible(patient);
  await expect(page.getByRole("img", { name: "The page when step 1 failed" })).toBeVisible();
  await expect(page.getByText("1. Press Jump")).toBeVisible();
  await expectAccessible(page);
  await look(page, "page-steps-failed");
});
