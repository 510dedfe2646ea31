// The live view as a user operates it: a sign-in is recorded, its proof is pointed at, and a job captures the page
// behind it. Who gets a live view and where it can't go is in src/server/routes/live-views.browser.test.ts.
import { expect } from "@playwright/test";
import { password } from "#identities/testing/sign-in-site.ts";
import { test } from "./fixtures.ts";
import { clickIn, waitUntilDrawn } from "./live-page.ts";
import { type WatchedSignIn, watchSignInSite } from "./watching.ts";
import { expectAccessible, look } from "./web/visitor.ts";

let { site, watching, ids, page, stop } = {} as WatchedSignIn;

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product }) => {
  ({ site, watching, ids, page, stop } = await watchSignInSite(browser, product, "live-view"));
  await watching.upgrade();
});
test.afterAll(() => stop());

const patient = { timeout: 60_000 };

test("a sign-in is recorded, its proof is pointed at, and the page behind it is captured", async () => {
  await page.goto(`${watching.product.url}/dashboard?view=profile&part=identities`);
  await page.getByRole("button", { name: "New identity" }).click();
  const dialog = page.getByRole("dialog", { name: "New identity" });
  await dialog.getByLabel("Name", { exact: true }).fill("Shop, as Ana");
  await dialog.getByLabel("Sign-in page").fill(`${site.origin}/sign-in`);
  await dialog.getByRole("button", { name: "Sign in with a live view" }).click();
  const live = page.getByRole("dialog", { name: "Sign in with a live view" });
  await expect(live.getByText(`${site.origin}/sign-in`)).toBeVisible(patient);
  await expect(live.getByRole("button", { name: "Back to the page before" })).toBeEnabled(patient);
  await waitUntilDrawn(page, "text");
  const canvas = live.getByRole("application");
  await canvas.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.type("ana");
  await page.keyboard.press("Tab");
  // The keyboard of the test has no emoji; on a phone, texts are typed below the page too.
  await live.getByLabel("Hide what I type").check();
  await live.getByLabel("Text for the field that has the focus on the page").fill(password);
  await live.getByRole("button", { name: "Type it" }).click();
  await expect(live.getByText("2. Enter “{{secret.password}}” in “Password”")).toBeVisible(patient);
  await live.getByRole("button", { name: "Enter key on the page" }).click();
  await expect(live.getByText(`${site.origin}/account`)).toBeVisible(patient);
  await waitUntilDrawn(page, "link");
  await live.getByRole("button", { name: "Point at the proof" }).click();
  await clickIn(live, 30, 16);
  await live.getByRole("button", { name: "Use the text “Sign out”" }).click(patient);
  await expectAccessible(page);
  await look(page, "live-view");
  // Escape on the page gives the keyboard back, and doesn't close the dialog.
  await canvas.focus();
  await page.keyboard.press("Escape");
  await expect(live.getByRole("button", { name: "Back to the page before" })).toBeFocused();
  await live.getByRole("button", { name: "Use these steps" }).click();
  await expect(live).toBeHidden(patient);
  await expect(dialog.getByText("3. Press Enter")).toBeVisible();
  await expect(dialog.getByLabel("Text", { exact: true })).toHaveValue("Sign out");
  await dialog.getByRole("button", { name: "Add identity" }).click();
  await expect(page.getByText("the next check finds out whether it is signed in")).toBeVisible();
  const { identities } = await watching.call<{ identities: { id: string }[] }>("GET", "/api/identities");
  await watching.call("PATCH", `/api/jobs/${ids.jobId}`, { identity: identities[0]?.id });
  const [signedIn] = await watching.check(ids.jobId, 2);
  expect(signedIn?.summary).toBe("The identity changed: this capture is the new baseline");
});
