// An identity as a user sets it: tried, with a proof that is proposed, saved, chosen in a job, and signed in again. What
// sessions do at checks is in src/server/routes/identities.browser.test.ts.
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

test("a job is captured as it, and says that it waits when it is signed out", async () => {
  await page.goto(`${watching.product.url}${job()}&dialog=settings`);
  const section = page.locator("form[data-section=identity]");
  await section.scrollIntoViewIfNeeded();
  await section.getByLabel("Captured as").selectOption("Shop, as Ana");
  await look(page, "identity-chosen");
  await expect(section.getByText("as an identity")).toBeVisible();
  await section.getByRole("button", { name: "Save section" }).click();
  // The button is only there while something isn't saved.
  await expect(section.getByRole("button", { name: "Save section" })).toHaveCount(0);
  const [signedIn] = await watching.check(ids.jobId, 2);
  expect(signedIn?.summary).toBe("The identity changed: this capture is the new baseline");
  site.state.password = "another";
  site.endSessions();
  await watching.check(ids.jobId, 3);
  await page.goto(`${watching.product.url}${job()}`);
  await expect(page.getByText("the identity “Shop, as Ana” is signed out")).toBeVisible(patient);
  await look(page, "identity-waiting");
  await page.getByRole("link", { name: "Sign in again" }).click();
  await expect(page.getByText("Signed out: The site asks for a password")).toBeVisible();
  await expectAccessible(page);
  site.state.password = password;
  await page.getByRole("button", { name: "Sign in as Shop, as Ana" }).click();
  await expect(page.getByText("Signed in: the page shows the proof.")).toBeVisible(patient);
  await expect(page.getByText("signed in, last proven")).toBeVisible();
  await look(page, "identities");
});
