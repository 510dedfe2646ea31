// Every screen, dialog and the viewer from a small phone to a wide desktop, full of long names and many rows: nothing
// overlaps, is cut off, leaves the screen or scrolls sideways. One page is resized rather than loaded again. Files run
// in the order of their names, and this one, the longest, must not be the last.
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { isLong } from "./size.ts";
import { startWatching, type Watching } from "./watching.ts";
// @ts-expect-error Runs in the page, so it is plain JavaScript.
import { misplaced } from "./web/misplaced.js";
import { signIn } from "./web/visitor.ts";

// A layout is tightest where it begins: the smallest phone, then each breakpoint.
const tightest = [320, 640, 768, 1024, 1280];
const widths = isLong ? [320, 375, 414, 600, 640, 768, 1024, 1280, 1920] : tightest;
// A folder for a picture of every screen at every width, to see what is measured.
const pictures = process.env.WIDTH_PICTURES;

const email = "wolfeschlegelsteinhausenbergerdorff.welche.vor.altern@example.com";
const long = "Quarterly shopfront of the Northern Lights trading company, checkout and returns, second floor";
const unbroken = `https://shop.example/${"catalogue-of-everything/".repeat(6)}`;
let watching: Watching;
let product: Watching["product"];
let place = { group: "", job: "", newest: "" };

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
  place = { group: groupId, job: jobId, newest: newest?.id ?? "" };
});
test.afterAll(() => watching.stop());

// More than fit on a screen of any of these widths.
const many = isLong ? 30 : 8;

type Row = Record<string, unknown>;
const times = <T extends Row>(row: T | undefined, count: number, change: (i: number) => Row): Row[] =>
  row ? Array.from({ length: count }, (_, i) => ({ ...row, ...(i > 0 && change(i)) })) : [];
const idOf = (i: number) => `019a0000-0000-7000-8000-${String(i).padStart(12, "0")}`;

/** Makes many of what there is one of, as after months of use. */
async function multiply(page: Page): Promise<void> {
  const answer = (path: string, change: (body: never) => unknown) =>
    page.route(
      (url) => url.pathname === path,
      async (route) => {
        if (route.request().method() !== "GET") return route.continue();
        await route.fulfill({ json: change((await (await route.fetch()).json()) as never) });
      },
    );
  const severities = ["critical", "important", "notice", "info"];
  const statuses = ["ACTIVE", "PAUSED", "DISABLED", "INTERRUPTED", "INACTIVE"];
  const executions = (list: Row[]) =>
    times(list[0], many, (i) => ({
      id: idOf(i),
      index: 12_345 - i,
      similarity: 97.5,
      createdAt: new Date(Date.now() - i * 3_700_000).toISOString(),
      summary: i % 2 ? long : unbroken,
      severity: severities[i % 4],
      changed: i % 3 > 0,
      error: i % 5 === 4 ? `The server did not answer: ${unbroken}` : null,
      status_code: i % 5 === 4 ? null : 200 + (i % 4) * 100,
    }));
  await answer("/api/jobs/groups", (groups: Row[]) =>
    times(groups[0], many, (i) => ({ id: idOf(i), name: `${i} ${long}` })),
  );
  const job = (one: Row & { executions: Row[] }) => ({
    ...one,
    executions: executions(one.executions).slice(0, 50),
    executionsTotal: 12_345,
    changesTotal: 2345,
  });
  await answer(`/api/jobs/groups/${place.group}`, (group: { Job: (Row & { executions: Row[] })[] }) => ({
    ...group,
    Job: times(group.Job[0], many, (i) => ({
      id: idOf(i),
      name: i % 2 ? unbroken.slice(0, 120) : long,
      status: statuses[i % 5],
      executions: executions(group.Job[0]?.executions ?? []).slice(i % 10),
    })).map((one) => job(one as Row & { executions: Row[] })),
  }));
  await answer(`/api/jobs/${place.job}`, job);
  await answer(`/api/jobs/${place.job}/executions`, (page: { executions: Row[] }) => ({
    executions: executions(page.executions),
    nextCursor: null,
    total: 12_345,
  }));
  await answer(`/api/jobs/${place.job}/logs`, (lines: Row[]) =>
    times(lines[0], many, (i) => ({
      id: 100_000 - i,
      level: ["info", "warn", "error"][i % 3],
      meta: unbroken,
    })),
  );
  await answer("/api/analytics/job_statistics", (rows: Row[]) =>
    times(rows[0], many, (i) => ({ job_name: `${i} ${long}`, logs: 12_345 - i })),
  );
  await answer("/api/analytics/resume", (resume: Row & { recent_changes: Row[]; next_checks: Row[] }) => ({
    ...resume,
    total_executions: 1_234_567,
    recent_changes: times(resume.recent_changes[0], 8, (i) => ({ id: idOf(i), summary: unbroken })),
    next_checks: times(resume.next_checks[0], 8, (i) => ({ id: idOf(i) })),
    failing_jobs: times({ ...resume.next_checks[0], failures: 12, error: unbroken }, 8, (i) => ({
      id: idOf(i),
    })),
  }));
  await answer("/api/notifications", (feed: { notifications: Row[] }) => ({
    ...feed,
    unread: 99,
    notifications: times(feed.notifications[0], many, (i) => ({
      id: idOf(i),
      title: long,
      message: unbroken,
      severity: severities[i % 4],
    })),
  }));
  await answer("/api/mailbox", ({ mails }: { mails: Row[] }) => ({
    mails: times(mails[0], many, (i) => ({ id: idOf(i), subject: `[critical] ${i} ${long}` })),
  }));
  await answer("/api/payment/billing", () =>
    times({ amount: 19, currency: "USD", plan: { name: "Professional" } }, 12, (i) => ({ i })).map(
      (bill, i) => ({
        ...bill,
        id: `txn_01hv8wptq8987qeep44cyrewp${i}`,
        status: i ? "past_due" : "paid",
        createdAt: new Date().toISOString(),
      }),
    ),
  );
}

const multiplyNothing = (page: Page) => page.unrouteAll({ behavior: "ignoreErrors" });

const expectSoon = expect.configure({ soft: true, timeout: 5_000 });

/** Nothing is out of place at any width. */
async function expectPlaced(page: Page, name: string): Promise<void> {
  await test.step(name, async () => {
    await page.evaluate("document.fonts.ready.then(() => true)");
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 768 ? 700 : 800 });
      // Lets the page's own size observers run.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))");
      if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
      // A busy machine may need longer than that.
      const wrong = async () => ((await page.evaluate(misplaced)) as string[]).slice(0, 8);
      await expectSoon.poll(wrong, `${name} at ${width} px`).toEqual([]);
    }
  });
}

/** Goes to an address within the open application, as a link does: loading it anew takes several times as long. */
async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent("popstate"));`,
  );
}

const shell = (parts: string) => `${product.url}/dashboard?${parts}`;
const jobAt = (parts = "") => shell(`view=jobs&group=${place.group}&job=${place.job}&${parts}`);
const viewerAt = (parts = "") => jobAt(`execution=${place.newest}&${parts}`);
const patient = { timeout: 30_000 };
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    // Sizes don't depend on colors: each theme takes half of the screens.
    test.use({ colorScheme });
    test.beforeEach(({ page }) => multiply(page));
    test.afterEach(({ page }) => multiplyNothing(page));
    if (colorScheme === "light") {
      test("public pages", async ({ page }) => {
        const paths = ["/", "/about", "/terms-and-conditions", "/privacy", `/${"nowhere".repeat(20)}`];
        paths.push("/login", "/register", `/register/finished/${"x".repeat(120)}@example.com`);
        paths.push("/recover", "/recover/some-token");
        for (const path of paths) {
          await page.goto(product.url + path);
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          await expectPlaced(page, `public-${paths.indexOf(path)}`);
        }
        await page.goto(`${product.url}/login`);
        await page.getByRole("button", { name: "Login" }).click();
        await expect(page.getByRole("alertdialog")).toBeVisible();
        await expectPlaced(page, "message-box");
        await page.goto(`${product.url}/mailbox`);
        await expect(page.getByRole("tabpanel")).toBeVisible();
        await expectPlaced(page, "mailbox");
      });

      test("a job", async ({ page }) => {
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
        // What lies under a dialog isn't measured: with few rows there, each width takes a third of the time.
        await multiplyNothing(page);
        for (const named of ["new-group", "edit-group", "delete-group", "settings", "export", "new-job"]) {
          await follow(page, jobAt(`dialog=${named}`));
          await expect(dialog(page, /./)).toBeVisible();
          await expectPlaced(page, `dialog-${named}`);
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
    } else {
      test("the viewer", async ({ page }) => {
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
        await multiplyNothing(page);
        await follow(page, viewerAt(`dialog=share&share=${place.newest}`));
        const share = dialog(page, "Share Result");
        await share.getByRole("button", { name: /link/ }).click();
        await expect(share.getByRole("textbox")).toBeVisible();
        await expectPlaced(page, "dialog-share");
        await page.goto(await share.getByRole("textbox").inputValue());
        await expect(regions).toBeVisible(patient);
        await expectPlaced(page, "shared");
      });

      test("dashboard, profile and plan", async ({ page }) => {
        await signIn(page, product, email);
        await expect(page.locator(".recharts-bar-rectangle").first()).toBeVisible();
        await expectPlaced(page, "dashboard");
        await page.getByRole("button", { name: /Notifications/ }).click();
        await expectPlaced(page, "notifications");
        await page.getByRole("button", { name: "See all" }).click();
        await expectPlaced(page, "all-notifications");
        await page.setViewportSize({ width: 375, height: 700 });
        await page.goto(shell("view=profile"));
        await page.getByRole("button", { name: "Menu" }).click();
        await expectPlaced(page, "profile");
        await page.getByRole("button", { name: "Delete Account" }).click();
        await expectPlaced(page, "dialog-account");
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
