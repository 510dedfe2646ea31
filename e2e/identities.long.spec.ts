// A job that is captured as an identity, waits when that is signed out, and goes on when it is signed in again.
import { expect } from "@playwright/test";
import { password } from "#identities/testing/sign-in-site.ts";
import { test } from "./fixtures.ts";
import { type WatchedSignIn, watchSignInSite } from "./watching.ts";
import { expectAccessible, look } from "./web/visitor.ts";

let { site, watching, ids, page, stop } = {} as WatchedSignIn;

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product }) => {
  ({ site, watching, ids, page, stop } = await watchSignInSite(browser, product, "identities-long"));
  await watching.upgrade();
  await watching.call("POST", "/api/identities", {
    name: "Shop, as Ana",
    url: `${site.origin}/sign-in`,
    steps: [
      { type: "change", selectors: [["[name=user]"]], value: "ana" },
      { type: "change", selectors: [["[name=password]"]], value: "{{secret.password}}" },
      { type: "click", selectors: [["form button"]], assertedEvents: [{ type: "navigation" }] },
    ],
    secrets: [{ name: "password", value: password }],
    proof: { text: "Sign out" },
  });
});
test.afterAll(() => stop());

const patient = { timeout: 60_000 };
const job = () => `/dashboard?view=jobs&group=${ids.groupId}&job=${ids.jobId}`;

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
