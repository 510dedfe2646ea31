// Measures every screen, dialog and the viewer from a small phone to a wide desktop, filled with long names and many
// rows: nothing overlaps, is cut off, leaves the screen or scrolls sideways. The page is resized rather than reloaded.
// Files run in the order of their names, and this one, the longest, must not be the last.
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { long, multiplyRows, showSite, unbroken } from "./many-rows.ts";
import { isLong } from "./size.ts";
import { startWatching, type Watching } from "./watching.ts";
// @ts-expect-error Runs in the page, so it is plain JavaScript.
import { findLayoutProblems } from "./web/find-layout-problems.js";
import { follow, mailOf, signIn } from "./web/visitor.ts";

// The short run takes the widths at which the phone, tablet and desktop layouts begin: each has the least room there.
// The phone's is the narrowest, so every screen is measured in it, and in one of the other two by turns. A dialog has
// one layout, so it is measured in the narrowest only.
const shortWidths = [
  [320, 1280],
  [320, 768],
];
const longWidths = [320, 375, 414, 600, 640, 768, 1024, 1280, 1920];
let screens = 0;
// Folder for a screenshot of every screen at every width in both themes, to see what is measured.
const pictures = process.env.WIDTH_PICTURES;

const email = mailOf("wolfeschlegelsteinhausenbergerdorff.welche.vor.altern");
let watching: Watching;
let product: Watching["product"];
let ids = { group: "", job: "", newest: "" };

test.describe.configure({ timeout: 240_000 });

test.beforeAll(async ({ product: shared }) => {
  test.setTimeout(240_000);
  watching = await startWatching(shared, email);
  ({ product } = watching);
  const { call, site } = watching;
  await call("PATCH", "/api/me/update", { firstname: "Wolfeschlegelsteinhausenberger", surname: long });
  const { groupId, jobId } = await watching.watch({
    group: long,
    name: long,
    url: `${site.url}?${"q=northern-lights&".repeat(8)}`,
    trigger: { url: `${site.url}hook`, method: "POST", body: '{"text":"{{summary}}"}' },
  });
  site.page.banner = `New: ${unbroken}`;
  site.page.rows[1] = long;
  const [newest] = await watching.check(jobId, 2);
  ids = { group: groupId, job: jobId, newest: newest?.id ?? "" };
});
test.afterAll(() => watching.stop());

const stopMultiplying = (page: Page) => page.unrouteAll({ behavior: "ignoreErrors" });

const expectSoon = expect.configure({ soft: true, timeout: 5_000 });

/** Expects no layout problem at the widths of this run. The next screen starts at the width where this one ends. */
async function expectPlaced(page: Page, name: string): Promise<void> {
  const theme = test.info().titlePath.includes("dark") ? "dark" : "light";
  await test.step(name, async () => {
    await page.evaluate("document.fonts.ready.then(() => true)");
    const isWide = (page.viewportSize()?.width ?? 0) >= 768;
    const isDialog = /^(dialog|message)-/.test(name);
    const widths = isLong ? longWidths : isDialog ? [320] : (shortWidths[screens++ % 2] ?? []);
    for (const width of isWide ? widths.toReversed() : widths) {
      await page.setViewportSize({ width, height: width < 768 ? 700 : 800 });
      // Lets the page's own size observers run.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))");
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`) });
      // A busy machine may need longer than those 30 ms.
      const findProblems = async () => ((await page.evaluate(findLayoutProblems)) as string[]).slice(0, 8);
      await expectSoon.poll(findProblems, `${name} at ${width} px`).toEqual([]);
    }
  });
}

const recording = JSON.stringify({
  title: long,
  steps: [
    { type: "click", selectors: [[`#${"gone-".repeat(30)}`], [`text/${long}`]] },
    { type: "change", selectors: [["[type=search]"]], value: unbroken },
    { type: "waitForExpression", expression: "true" },
    { type: "change", selectors: [["#password"]], value: "s3cret" },
    { type: "navigate", url: unbroken },
  ],
});
const shell = (parts: string) => `${product.url}/dashboard?${parts}`;
const jobAt = (parts = "") => shell(`view=jobs&group=${ids.group}&job=${ids.job}&${parts}`);
const viewerAt = (parts = "") => jobAt(`execution=${ids.newest}&${parts}`);
const patient = { timeout: 30_000 };
const desktop = { width: 1280, height: 800 };
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    // Sizes don't depend on colors: each theme takes half of the screens, unless there are pictures to look at.
    test.use({ colorScheme });
    test.beforeEach(({ page }) => multiplyRows(page, ids));
    test.afterEach(({ page }) => stopMultiplying(page));
    if (colorScheme === "light" || pictures) {
      test("public pages have no layout problem from a phone to a desktop", async ({ page }) => {
        const paths = ["/", "/about", "/terms-and-conditions", "/privacy", `/${"nowhere".repeat(20)}`];
        paths.push("/login", "/register", `/register/finished/${"x".repeat(120)}@example.com`);
        paths.push("/recover", "/recover/some-token");
        await page.goto(product.url);
        for (const [i, path] of paths.entries()) {
          const heading = page.getByRole("heading", { level: 1 });
          const last = i > 0 ? await heading.innerText() : "";
          await follow(page, product.url + path);
          await expect(heading).not.toHaveText(last);
          await expectPlaced(page, `public-${i}`);
        }
        await follow(page, `${product.url}/login`);
        await page.getByRole("button", { name: "Login" }).click();
        await expect(page.getByRole("alertdialog")).toBeVisible();
        await expectPlaced(page, "message-box");
        await page.getByRole("alertdialog").getByRole("button", { name: "Close" }).click();
        await follow(page, `${product.url}/mailbox`);
        await expect(page.getByRole("tabpanel")).toBeVisible();
        await expectPlaced(page, "mailbox");
      });

      test("the screens and dialogs of a job have no layout problem from a phone to a desktop", async ({
        page,
      }) => {
        await signIn(page, product, email);
        await follow(page, shell("view=jobs"));
        await expect(page.getByRole("list", { name: "Jobs of this group" })).toBeVisible();
        await expectPlaced(page, "jobs");
        await follow(page, jobAt());
        await expect(page.getByRole("list", { name: "Executions" }).getByRole("link").nth(3)).toBeVisible();
        await expectPlaced(page, "job");
        await follow(page, jobAt("tab=logs&timeline=1"));
        await expect(page.getByText("[warn]").first()).toBeVisible();
        await expectPlaced(page, "job-logs");
        // The screen under a dialog isn't measured: with few rows in it, each width takes a third of the time.
        await stopMultiplying(page);
        for (const dialogName of [
          "new-group",
          "edit-group",
          "delete-group",
          "settings",
          "export",
          "new-job",
        ]) {
          await follow(page, jobAt(`dialog=${dialogName}`));
          await expect(dialog(page, /./)).toBeVisible();
          await expectPlaced(page, `dialog-${dialogName}`);
        }
        await dialog(page, "New Job")
          .getByRole("button", { name: /^Advanced/ })
          .click();
        await dialog(page, "New Job").getByRole("button", { name: "Add Header" }).first().click();
        await expectPlaced(page, "dialog-advanced");
        await follow(page, jobAt());
        await page.getByRole("button", { name: "DELETE", exact: true }).click();
        await expect(dialog(page, /^Delete/)).toBeVisible();
        await expectPlaced(page, "dialog-delete");
      });

      test("a site’s inventory, its rules and steps have no layout problem from a phone to a desktop", async ({
        page,
      }) => {
        await showSite(page, ids);
        await signIn(page, product, email);
        await follow(page, jobAt("tab=site"));
        await expect(
          page.getByRole("list", { name: "Addresses" }).getByRole("listitem").nth(4),
        ).toBeVisible();
        await expectPlaced(page, "site-addresses");
        const views = page.getByRole("group", { name: "View" });
        for (const [view, list] of Object.entries({ Templates: "Templates", Difference: "Differences" })) {
          await views.getByRole("button", { name: view }).click();
          await expect(page.getByRole("list", { name: list }).getByRole("listitem").nth(2)).toBeVisible();
          await expectPlaced(page, `site-${view.toLowerCase()}`);
        }
        await views.getByRole("button", { name: "Jobs by rule" }).click();
        await page.getByLabel("Path or template").fill(`/${"catalogue-of-everything/".repeat(4)}*`);
        await page.getByRole("button", { name: "Preview the jobs" }).click();
        await expect(page.getByRole("region", { name: "Jobs of the rule" })).toBeVisible();
        await expectPlaced(page, "site-rules");
        await page.getByRole("region", { name: "Jobs of the rule" }).scrollIntoViewIfNeeded();
        if (pictures) await page.screenshot({ path: join(pictures, `site-trial-${colorScheme}.png`) });
        await stopMultiplying(page);
        await page.setViewportSize(desktop);
        await page.goto(jobAt("dialog=settings"));
        const steps = page.locator("form[data-section=page-steps]");
        await steps.getByRole("button", { name: "Paste a recording" }).click();
        await steps.getByLabel("Recording", { exact: true }).fill(recording);
        await steps.getByRole("button", { name: "Add its steps" }).click();
        await expect(steps.getByText("is left out")).toBeVisible();
        await steps.getByRole("button", { name: "Edit step 2" }).click();
        await steps.scrollIntoViewIfNeeded();
        await expectPlaced(page, "settings-steps");
        const site = page.locator("form[data-section=site]");
        await site.getByLabel("Watch the whole site").check();
        await site.scrollIntoViewIfNeeded();
        await expectPlaced(page, "settings-site");
      });
    }
    if (colorScheme === "dark" || pictures) {
      test("the viewer has no layout problem from a phone to a desktop", async ({ page }) => {
        await signIn(page, product, email);
        const regions = page.getByText(/^1 of \d+ regions?$/);
        for (const [name, parts] of Object.entries({
          side: "panel=0",
          slider: "mode=slider",
          triggers: "mode=blink&triggers=1",
        })) {
          await follow(page, viewerAt(parts));
          await expect(regions).toBeVisible(patient);
          await expectPlaced(page, `viewer-${name}`);
        }
        for (const parts of ["", "layout=unified&wrap=1&filter=1", "with=off"]) {
          await follow(page, viewerAt(`show=html&${parts}`));
          await expect(page.locator("[data-line]", { hasText: "New: https" }).first()).toBeVisible(patient);
          await expectPlaced(page, `viewer-html-${parts.slice(0, 6)}`);
        }
        await page.keyboard.press("?");
        await expect(dialog(page, "Keys")).toBeVisible();
        await expectPlaced(page, "viewer-keys");
        await stopMultiplying(page);
        await follow(page, viewerAt(`dialog=share&share=${ids.newest}`));
        const share = dialog(page, "Share Result");
        await share.getByRole("button", { name: /link/ }).click();
        await expect(share.getByRole("textbox")).toBeVisible();
        await expectPlaced(page, "dialog-share");
        await page.goto(await share.getByRole("textbox").inputValue());
        await expect(regions).toBeVisible(patient);
        await expectPlaced(page, "shared");
      });

      test("dashboard, profile and plan have no layout problem from a phone to a desktop", async ({
        page,
      }) => {
        await signIn(page, product, email);
        await expect(page.locator("[data-series]").first()).toBeVisible();
        await expectPlaced(page, "dashboard");
        await page.setViewportSize(desktop);
        await page.getByRole("button", { name: /Notifications/ }).click();
        await expectPlaced(page, "notifications");
        await page.setViewportSize(desktop);
        await page.getByRole("button", { name: "See all" }).click();
        await expectPlaced(page, "all-notifications");
        await page.keyboard.press("Escape");
        await page.setViewportSize({ width: 375, height: 700 });
        await follow(page, shell("view=profile"));
        await page.getByRole("button", { name: "Menu" }).click();
        await expectPlaced(page, "profile");
        await page.getByRole("button", { name: "Delete Account" }).click();
        await expectPlaced(page, "dialog-account");
        await page.keyboard.press("Escape");
        for (const part of ["channels", "data", "identities", "proxies", "activity"]) {
          await follow(page, shell(`view=profile&part=${part}`));
          await expectPlaced(page, `profile-${part}`);
        }
        await follow(page, shell("view=all-jobs"));
        await expectPlaced(page, "all-jobs");
        await follow(page, shell("view=search&q=New%3A"));
        await expect(page.locator("mark").first()).toBeVisible();
        await expectPlaced(page, "search");
        await page.getByRole("button", { name: "Alert me about this" }).click();
        await dialog(page, "New search alert").getByRole("button", { name: "Test on history" }).click();
        await expect(dialog(page, "New search alert").getByRole("status")).toBeVisible();
        await expectPlaced(page, "dialog-search-alert");
        await page.keyboard.press("Escape");
        await follow(page, shell("view=search"));
        await expectPlaced(page, "search-start");
        await page.getByRole("region", { name: "Search alerts" }).scrollIntoViewIfNeeded();
        await follow(page, shell("view=incidents"));
        await expect(page.getByText("on 1234 pages").first()).toBeVisible();
        await page.getByRole("button", { name: "Show the pages" }).first().click();
        await expectPlaced(page, "incidents");
        await follow(page, shell("view=billing"));
        await expect(page.getByText("txn_01hv8wptq8987qeep44cyrewp1").first()).toBeVisible();
        await expectPlaced(page, "billing");
        await page.getByRole("button", { name: "What's the difference?" }).click();
        await expectPlaced(page, "dialog-difference");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Upgrade" }).first().click();
        await expect(dialog(page, /^Checkout/)).toBeVisible();
        await expectPlaced(page, "dialog-checkout");
      });
    }
  });
}
