// The live view for signing in by hand, and for the steps of a job.
import { expect } from "@playwright/test";
import { password } from "#identities/testing/sign-in-site.ts";
import { test } from "./fixtures.ts";
import { clickIn, waitUntilDrawn } from "./live-page.ts";
import { type WatchedSignIn, watchSignInSite } from "./watching.ts";

let { site, watching, ids, page, stop } = {} as WatchedSignIn;

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product }) => {
  ({ site, watching, ids, page, stop } = await watchSignInSite(browser, product, "live-view-long"));
  await watching.upgrade();
  const { identity } = await watching.call<{ identity: { id: string } }>("POST", "/api/identities", {
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
  await watching.call("PATCH", `/api/jobs/${ids.jobId}`, { identity: identity.id });
  await watching.check(ids.jobId, 2);
  await page.goto(`${product.url}/dashboard?view=profile&part=identities`);
});
test.afterAll(() => stop());

const patient = { timeout: 60_000 };

test("who signs in by hand keeps the session", async () => {
  const { signIns } = site.counts;
  site.endSessions();
  await page.getByRole("button", { name: "Sign in by hand as Shop, as Ana" }).click();
  const live = page.getByRole("dialog", { name: "Sign in as Shop, as Ana" });
  await expect(live.getByText(`${site.origin}/sign-in`)).toBeVisible(patient);
  await waitUntilDrawn(page, "text");
  await live.getByRole("button", { name: "Keep the session" }).click();
  await expect(live.getByText("The page doesn’t show the proof of being signed in")).toBeVisible(patient);
  const field = live.getByLabel("Text for the field that has the focus on the page");
  for (const text of ["ana", password]) {
    await live.getByRole("button", { name: "Tab key on the page" }).click();
    await field.fill(text);
    await field.press("Enter");
  }
  await live.getByRole("button", { name: "Enter key on the page" }).click();
  await expect(live.getByText(`${site.origin}/account`)).toBeVisible(patient);
  await live.getByRole("button", { name: "Keep the session" }).click();
  await expect(page.getByText("“Shop, as Ana” is signed in.")).toBeVisible(patient);
  await watching.check(ids.jobId, 3);
  // By hand, and never again by its steps.
  expect(site.counts.signIns).toBe(signIns + 1);
});

test("the steps of a job are recorded on its page", async () => {
  await page.goto(
    `${watching.product.url}/dashboard?view=jobs&group=${ids.groupId}&job=${ids.jobId}&dialog=settings`,
  );
  const section = page.locator("form[data-section=page-steps]");
  await section.getByRole("button", { name: "Record in a live view" }).click();
  const live = page.getByRole("dialog", { name: "Record in a live view" });
  await expect(live.getByText(`${site.origin}/offers`)).toBeVisible(patient);
  await expect(live.getByRole("button", { name: "Back to the page before" })).toBeEnabled(patient);
  await waitUntilDrawn(page, "link");
  await clickIn(live, 30, 16);
  await expect(live.getByText("1. Click “Sign out”")).toBeVisible(patient);
  await live.getByRole("button", { name: "Remove step 1" }).click();
  await expect(live.getByText("Click, type and scroll in the page")).toBeVisible();
  await live.getByRole("button", { name: "Close", exact: true }).click();
  await expect(section.getByRole("button", { name: "Record in a live view" })).toBeFocused();
});
