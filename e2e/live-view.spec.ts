// The live view as a user operates it: a sign-in is recorded, its proof is pointed at, and a job captures the page
// behind it. Who gets a live view and where it can't go is in src/server/routes/live-views.browser.test.ts.
import { expect, type Locator } from "@playwright/test";
import { password } from "#identities/testing/sign-in-site.ts";
import { test } from "./fixtures.ts";
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

/** A click at a point of the page in the live view, which is 1280 pixels wide. */
async function clickIn(live: Locator, x: number, y: number): Promise<void> {
  const canvas = live.getByRole("application");
  const scale = ((await canvas.boundingBox())?.width ?? 0) / 1280;
  await canvas.click({ position: { x: x * scale, y: y * scale } });
}

/**
 * Waits until the live view shows text of the page, or a link in its upper left corner. Its first frames are blank: of
 * the browser's empty page, and of the new one before it is read. A key or a click during them would hit nothing.
 */
async function waitUntilDrawn(what: "text" | "link"): Promise<void> {
  // Text is black, links are blue, and a pixel that was never drawn is transparent.
  const [box, isDrawn] = {
    text: ["0, 0, 1280, 800", "blue < 80 && alpha > 0"],
    link: ["0, 0, 80, 30", "blue - red > 60"],
  }[what];
  const hasDrawn = `(() => {
    const canvas = document.querySelector("canvas[role=application]");
    const { data } = canvas.getContext("2d").getImageData(${box});
    for (let i = 0; i < data.length; i += 4) {
      const [red, , blue, alpha] = data.subarray(i, i + 4);
      if (${isDrawn}) return true;
    }
    return false;
  })()`;
  await expect.poll(() => page.evaluate<boolean>(hasDrawn), patient).toBe(true);
}

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
  await waitUntilDrawn("text");
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
  await waitUntilDrawn("link");
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

test("who signs in by hand keeps the session", async () => {
  const { signIns } = site.counts;
  site.endSessions();
  await page.getByRole("button", { name: "Sign in by hand as Shop, as Ana" }).click();
  const live = page.getByRole("dialog", { name: "Sign in as Shop, as Ana" });
  await expect(live.getByText(`${site.origin}/sign-in`)).toBeVisible(patient);
  await waitUntilDrawn("text");
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
  await waitUntilDrawn("link");
  await clickIn(live, 30, 16);
  await expect(live.getByText("1. Click “Sign out”")).toBeVisible(patient);
  await live.getByRole("button", { name: "Remove step 1" }).click();
  await expect(live.getByText("Click, type and scroll in the page")).toBeVisible();
  await live.getByRole("button", { name: "Close", exact: true }).click();
  await expect(section.getByRole("button", { name: "Record in a live view" })).toBeFocused();
});
