// An identity as a user sets it: tried, with a proof that is proposed, saved, and chosen in a job. What sessions do at
// checks is in src/server/routes/identities.browser.test.ts.
import { expect } from "@playwright/test";
import { password } from "#identities/testing/sign-in-site.ts";
import { test } from "./fixtures.ts";
import { type WatchedSignIn, watchSignInSite } from "./watching.ts";
import { expectAccessible, look } from "./web/visitor.ts";

let { site, watching, ids, page, stop } = {} as WatchedSignIn;

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product }) => {
  ({ site, watching, ids, page, stop } = await watchSignInSite(browser, product, "identities"));
});
test.afterAll(() => stop());

const patient = { timeout: 60_000 };
const profile = "/dashboard?view=profile&part=identities";
const job = () => `/dashboard?view=jobs&group=${ids.groupId}&job=${ids.jobId}`;
const recording = JSON.stringify({
  title: "Sign in",
  steps: [
    { type: "change", selectors: [["[name=user]"]], value: "ana" },
    { type: "change", selectors: [["[name=password]"]], value: password },
    { type: "click", selectors: [["form button"]], assertedEvents: [{ type: "navigation" }] },
  ],
});

test("the Basic plan says which plan has identities", async () => {
  await page.goto(`${watching.product.url}${profile}`);
  await expect(page.getByText("Capturing pages behind a sign-in comes with Professional")).toBeVisible();
  await expect(page.getByRole("button", { name: "New identity" })).toHaveCount(0);
});

test("an identity is tried, its proof is proposed, and it is saved", async () => {
  await watching.upgrade();
  await page.goto(`${watching.product.url}${profile}`);
  await expect(page.getByText("No identities yet")).toBeVisible();
  await page.getByRole("button", { name: "New identity" }).click();
  const dialog = page.getByRole("dialog", { name: "New identity" });
  await dialog.getByLabel("Name", { exact: true }).fill("Shop, as Ana");
  await dialog.getByLabel("Sign-in page").fill(`${site.origin}/sign-in`);
  await dialog.getByRole("button", { name: "Paste a recording" }).click();
  await dialog.getByLabel("Recording", { exact: true }).fill(recording);
  await dialog.getByRole("button", { name: "Add its steps" }).click();
  await expect(dialog.getByText("2. Enter “{{secret.password}}” in [name=password]")).toBeVisible();
  await dialog.getByRole("button", { name: "Add identity" }).click();
  await expect(
    dialog.getByText("Enter a text or a CSS selector that the page shows only when you’re signed in."),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Try now and propose a proof" }).click();
  await dialog.getByRole("button", { name: "Use “Sign out”" }).click(patient);
  await expect(dialog.getByLabel("Text", { exact: true })).toHaveValue("Sign out");
  await expectAccessible(page);
  await look(page, "identity-tried");
  await dialog.getByRole("button", { name: "Add identity" }).click();
  await expect(
    page.getByText("the next check finds out whether it is signed in · used by no job"),
  ).toBeVisible();
});

test("an identity is chosen in a job", async () => {
  await page.goto(`${watching.product.url}${job()}&dialog=settings`);
  const section = page.locator("form[data-section=identity]");
  await section.scrollIntoViewIfNeeded();
  await section.getByLabel("Captured as").selectOption("Shop, as Ana");
  await expect(section.getByText("as an identity")).toBeVisible();
  await section.getByRole("button", { name: "Save section" }).click();
  // The button is only there while something isn't saved.
  await expect(section.getByRole("button", { name: "Save section" })).toHaveCount(0);
  const { identities } = await watching.call<{ identities: { id: string }[] }>("GET", "/api/identities");
  const saved = await watching.call<{ identity: string | null }>("GET", `/api/jobs/${ids.jobId}`);
  expect([identities.length, saved.identity]).toEqual([1, identities[0]?.id]);
});
