// One change in every mode of the viewer, shared, revoked; and hostile captures. axe examines the viewer with its
// pictures side by side in noise.spec.ts, where it has more to show.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectSound } from "./web/visitor.ts";

let watching: Watching;
let product: Watching["product"];
let site: Watching["site"];
let groupId = "";
let jobId = "";
let newest = "";
let hostileId = "";
let page: Page;
const outside: string[] = [];
const screen = { viewport: { width: 1280, height: 800 } };

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, "viewer@example.com");
  ({ product, site } = watching);
  const trigger = { url: `${site.url}hook`, method: "POST", body: '{"text":"{{summary}}"}' };
  ({ groupId, jobId } = await watching.watch({ group: "Programmes", name: "Acme scope", trigger }));
  site.page.banner = "New: up to $20,000";
  site.page.rows[1] = "api2.acme.example";
  newest = (await watching.check(jobId, 2))[0]?.id ?? "";
  page = await watching.open(browser);
  page.on("request", (request) => {
    if (!request.url().startsWith(product.url) && !request.url().startsWith("blob:"))
      outside.push(request.url());
  });
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const viewer = () => page.getByRole("dialog", { name: "Acme scope" });
const index = () => viewer().getByRole("heading", { name: /^Execution #/ });
const pressed = (name: string) =>
  expect(viewer().getByRole("button", { name })).toHaveAttribute("aria-pressed", "true", patient);
/** Opens the viewer by its address, as a colleague would. */
const open = (parts = "") =>
  page.goto(`${product.url}/dashboard?view=jobs&job=${jobId}&execution=${newest}&${parts}`);

test("two clicks from the menu to the change", async () => {
  await page.getByRole("navigation").getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("list", { name: "Executions" }).getByRole("link").first().click();
  await expect(viewer().getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  await expect(viewer().getByText("Against #1")).toBeVisible();
});

test("keys as fast as they come are all heard, and closing leads back to the row", async () => {
  await page.evaluate(`for (let i = 0; i < 3; i++)
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }))`);
  await expect(index()).toHaveText("Execution #1", patient);
  await page.keyboard.press("Escape");
  await expect(viewer()).toBeHidden();
  await expect(page.getByRole("list", { name: "Executions" }).getByRole("link").last()).toBeFocused();
  await page.goBack();
  await expect(viewer()).toBeHidden();
});

test("a comparison that fails says so, as does a partner that is gone", async () => {
  await page.route("**/compare?*", (route) => route.fulfill({ status: 500, json: {} }));
  await open();
  await expect(viewer().getByText(/^The comparison could not be loaded/)).toBeVisible(patient);
  await expect(viewer().getByText("No regions")).toBeHidden();
  await page.unroute("**/compare?*");
  await viewer().getByRole("button", { name: "Try again" }).click();
  await expect(viewer().getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  await open(`with=${newest.replace(/.{12}$/, "000000000000")}`);
  await expect(viewer().getByText(/is no longer here, so it is shown alone/)).toBeVisible(patient);
});

test("every image mode, by keys; the address carries it", async () => {
  await open();
  await expect(viewer().locator("[data-scroller]")).toHaveCount(2, patient);
  for (const [key, mode] of [
    ["2", "slider"],
    ["3", "onion"],
    ["4", "blink"],
    ["5", "difference"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`mode=${mode}`));
    await expect(viewer().locator("[data-region]").first()).toBeAttached();
    await expect(viewer().locator("[data-scroller]")).toHaveCount(1);
  }
  await page.keyboard.press("1");
  await expect(viewer().locator("[data-scroller]")).toHaveCount(2);
});

test("an inserted banner does not shift the rest: what stands is level", async () => {
  const gap = await page.evaluate<{ banner: number; height: number }>(`(() => {
    const [before, after] = [...document.querySelectorAll("[data-scroller]")];
    const bands = (scroller) => [...scroller.querySelectorAll(".bg-white > div")].map((band) =>
      ({ top: band.offsetTop, height: band.offsetHeight, gap: !band.style.backgroundSize }));
    const gaps = bands(before).filter((band) => band.gap);
    return { banner: gaps[0]?.top ?? -1, height: bands(before).length - bands(after).length };
  })()`);
  expect(gap).toEqual({ banner: 0, height: 0 });
});

test("regions are stepped through, zoom loses no key, scroll is linked both ways", async () => {
  await open();
  await expect(viewer().getByText(/^1 of \d+ regions$/)).toBeVisible(patient);
  await expect(viewer().locator("[data-scroller]")).toHaveCount(2, patient);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/at=1/);
  for (let i = 0; i < 6; i++) await page.keyboard.press("+");
  // Zooming starts at what fits and stops once at the picture's own size.
  await expect(page).toHaveURL(/zoom=1.25/);
  await expect(viewer().getByText("125 %")).toBeVisible();
  const scrollers = "[...document.querySelectorAll('[data-scroller]')]";
  const tops = () => page.evaluate<number[]>(`${scrollers}.map((one) => Math.round(one.scrollTop))`);
  for (const [leader, top] of [
    [0, 120],
    [1, 340],
    [0, 200],
  ] as const) {
    await page.evaluate(`${scrollers}[${leader}].scrollTop = ${top}`);
    await expect.poll(tops).toEqual([top, top]);
  }
  // The middle of the view stays in the middle, on both sides.
  await page.keyboard.press("0");
  await expect(viewer().getByText("Fit", { exact: true })).toBeVisible();
  await expect.poll(async () => new Set(await tops()).size).toBe(1);
});

test("HTML: side by side, word marks, filter, unified, wrap, search", async () => {
  await open("show=html");
  await expect(viewer().getByText(/^\d+ of \d+ changes?$/)).toBeVisible(patient);
  await expect(viewer().locator(".bg-added-mark").first()).toBeVisible();
  const identical = viewer().getByText("Rule 3: be kind to production systems.");
  const folds = viewer().getByText(/identical lines$/);
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/filter=1/);
  await expect(identical).toHaveCount(0);
  await expect(folds.first()).toBeVisible();
  await expectSound(page);
  await folds.last().click();
  await page.keyboard.press("f");
  await page.keyboard.press("u");
  await expect(page).toHaveURL(/layout=unified/);
  await expectSound(page);
  await page.keyboard.press("w");
  await page.keyboard.press("/");
  await page.keyboard.type("api2");
  await expect(viewer().getByText("1 of 1 hit")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer()).toBeVisible();
});

test("a colleague's address opens the same view", async () => {
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/filter=1/);
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await pressed("Filter new findings");
  await pressed("Unified");
  await pressed("Wrap");
});

test("previous and next wrap around; one capture alone; the other direction", async () => {
  await open();
  await expect(index()).toHaveText("Execution #2", patient);
  await page.keyboard.press("ArrowRight");
  await expect(index()).toHaveText("Execution #1", patient);
  await page.keyboard.press("ArrowLeft");
  await expect(index()).toHaveText("Execution #2", patient);
  await page.keyboard.press("c");
  await expect(viewer().getByRole("img", { name: /^Screenshot, #2/ })).toBeVisible(patient);
  await page.keyboard.press("c");
  await page.keyboard.press("ArrowLeft");
  await expect(index()).toHaveText("Execution #1", patient);
  await page.keyboard.press("v");
  await expect(viewer().getByText("Against #2")).toBeVisible(patient);
});

test("'?' shows the keys", async () => {
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys.getByText("Filter new findings")).toBeVisible();
  await expectSound(page);
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(viewer()).toBeVisible();
});

test("'Trigger HTTP' shows the real run, and runs it again", async () => {
  await open("triggers=1");
  const pane = viewer().getByRole("region", { name: "Trigger HTTP" });
  await expect(pane.getByText("Answered 202")).toBeVisible(patient);
  await expect(pane.getByText(`POST ${site.url}hook`)).toBeVisible();
  await expect(pane.getByText('{"heard":true}')).toBeVisible();
  expect(site.hooked).toHaveLength(1);
  await pane.getByRole("button", { name: "Run again" }).click();
  await expect(pane.getByText("by hand")).toBeVisible(patient);
  expect(site.hooked[1]).toBe(site.hooked[0]);
  await expectSound(page);
});

test("V6 shared, seen by a stranger, revoked", async ({ browser }) => {
  await open();
  await viewer().getByRole("button", { name: "Share Result" }).click();
  const dialog = page.getByRole("dialog", { name: "Share Result" });
  await dialog.getByLabel("7 days", { exact: true }).press("ArrowLeft");
  await expect(dialog.getByLabel("1 day", { exact: true })).toBeChecked();
  // The address names the dialog too; above the viewer it keeps the focus, however late the viewer comes.
  await page.route("**/viewer-*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.reload();
  await expect(dialog.getByLabel("7 days", { exact: true })).toBeFocused();
  await page.unroute("**/viewer-*.js");
  await dialog.getByLabel("1 day", { exact: true }).check();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
  expect(link).toContain("/share/");
  await expectSound(page);
  const stranger = await (await browser.newContext(screen)).newPage();
  const answer = await stranger.goto(link.replace(/^https?:\/\/[^/]+/, product.url));
  expect(answer?.headers()["x-robots-tag"]).toBe("noindex, nofollow");
  await expect(stranger.getByRole("heading", { name: site.url })).toBeVisible(patient);
  await expect(stranger.getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  await expect(stranger.locator("meta[name=robots]")).toHaveAttribute("content", "noindex, nofollow");
  await stranger.keyboard.press("i");
  await expect(stranger.getByText(/^1 of \d+ changes?$/)).toBeVisible(patient);
  expect(await stranger.content()).not.toContain("Acme scope");
  await expectSound(stranger);
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(dialog.getByRole("heading", { name: "Your links" })).toBeHidden();
  await expect(dialog.getByLabel("Link", { exact: true })).toBeHidden();
  await stranger.reload();
  await expect(stranger.getByText("This link does not work")).toBeVisible(patient);
  await expectSound(stranger);
  const revoked = await stranger.locator("main").innerHTML();
  await stranger.goto(`${product.url}/share/${"x".repeat(32)}`);
  await expect(stranger.getByText("This link does not work")).toBeVisible(patient);
  expect(await stranger.locator("main").innerHTML()).toBe(revoked);
  await stranger.context().close();
});

const hostile = `<script>globalThis.owned = 1; fetch("https://evil.example/a")</script>
<img src="https://evil.example/b" onerror="globalThis.owned = 2"><svg onload="globalThis.owned = 3"></svg>
<p>user\u202Egnp.exe and a null \u0000 byte</p><p style="white-space:nowrap;overflow:hidden">${"long ".repeat(60_000)}</p>`;

test("V1 V2 V3 a hostile capture is shown inert, spelled out, and does not freeze the page", async () => {
  site.page.extra = hostile;
  const [third] = await watching.check(jobId, 3);
  hostileId = third?.id ?? "";
  const part = `/api/jobs/${jobId}/executions/${third?.id}`;
  await page.goto(
    `${product.url}/dashboard?view=jobs&job=${jobId}&execution=${third?.id}&show=html&filter=1`,
  );
  await expect(viewer().getByText(/^1 of \d+ changes?$/)).toBeVisible(patient);
  await expect(viewer().getByText("U+202E").first()).toBeVisible();
  const cut = viewer().getByText(/more characters$/);
  await expect(cut.first()).toBeVisible();
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/raw=1/);
  await expect(viewer().getByText("U+202E").first()).toBeVisible(patient);
  await page.keyboard.press("i");
  await expect(viewer().getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  expect(await page.evaluate("globalThis.owned")).toBeUndefined();
  expect(outside).toEqual([]);
  const raw = await page.goto(`${product.url}${part}/html`);
  expect(raw?.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  expect(raw?.headers()["content-security-policy"]).toBe("sandbox; default-src 'none'");
  expect(await page.evaluate("globalThis.owned")).toBeUndefined();
});

test("V3 a null byte is spelled out", async () => {
  const { job } = await watching.call<{ job: { id: string } }>("POST", "/api/jobs/create", {
    name: "Raw bytes",
    url: `${site.url}raw`,
    frequency: 60,
    groupId,
  });
  const [first] = await watching.executions(job.id, 1);
  await page.goto(`${product.url}/dashboard?view=jobs&job=${job.id}&execution=${first?.id}&show=html&raw=1`);
  const shown = page.getByRole("dialog", { name: "Raw bytes" });
  await expect(shown.getByText("U+0000")).toBeVisible(patient);
  await expect(shown.getByText(/^a null U\+0000 byte$/)).toBeVisible();
});

test("600 px, dark: every way of looking is sound", async () => {
  await page.setViewportSize({ width: 600, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  for (const parts of ["mode=slider", "mode=difference", "show=html&filter=1", "triggers=1", "with=off"]) {
    await open(parts);
    await expect(index()).toHaveText("Execution #2", patient);
    await expect(viewer().locator("[data-scroller]").first()).toBeAttached(patient);
    await expectSound(page);
  }
  await page.setViewportSize(screen.viewport);
  await page.emulateMedia({ colorScheme: "light" });
});

/** Replaces the HTML of both captures. */
async function answerHtml(html: { before: string; after: string }) {
  await page.route("**/html", (route) =>
    route.fulfill({
      contentType: "text/plain; charset=utf-8",
      body: route.request().url().includes(newest) ? html.after : html.before,
    }),
  );
}

test("HTML: a change or hit far to the right comes into sight; Shift and an arrow pan", async () => {
  const text = "word ".repeat(170);
  const same = Array.from({ length: 60 }, (_, i) => `<p>line ${i}</p>`).join("\n");
  const html = (near: string, far: string, beyond: string) =>
    `<p>${near}</p>\n${same}\n<p>${text}${far}</p>\n${same}\n<p>${text.repeat(8)}${beyond}</p>\n`;
  await answerHtml({ before: html("one", "last", "old"), after: html("two", "final", "new") });
  const mark = (word: string) => viewer().locator("[data-mark]", { hasText: word });
  for (const [width, layout] of [
    [1280, "split"],
    [600, "split"],
    [600, "unified"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await open(`show=html&raw=1&at=1&layout=${layout}`);
    for (const word of ["last", "final"]) await expect(mark(word)).toBeInViewport(patient);
    await page.keyboard.press("n");
    // Past where a long line is cut.
    for (const word of ["old", "new"]) await expect(mark(word)).toBeInViewport();
    await page.keyboard.press("n");
    for (const word of ["one", "two"]) await expect(mark(word)).toBeInViewport();
    await expect(viewer().getByText("<p>").first()).toBeInViewport();
  }
  await page.setViewportSize(screen.viewport);
  await page.keyboard.press("Shift+ArrowRight");
  await expect(viewer().getByText("<p>").first()).not.toBeInViewport();
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(viewer().getByText("<p>").first()).toBeInViewport();
  await expect(index()).toHaveText("Execution #2");
  await page.keyboard.press("/");
  await page.keyboard.type("fina");
  await expect(viewer().locator("[data-found]")).toBeInViewport();
});

test("HTML: an opened run keeps the focus, also when it is scrolled away", async () => {
  const same = Array.from({ length: 200 }, (_, i) => `line ${i}`).join("\n");
  await answerHtml({ before: `${same}\nold`, after: `${same}\nnew` });
  await open("show=html&raw=1&filter=1");
  await viewer().getByText("200 identical lines").press("Enter");
  await expect(viewer().locator(":focus")).toContainText("line 0");
  await page.keyboard.press("End");
  await expect(viewer().getByText("line 199").first()).toBeInViewport();
  await expect(viewer().getByRole("region", { name: "HTML" })).toBeFocused();
});

test("HTML: when all lines are in sight, marks of the overview are level with them", async () => {
  await answerHtml({ before: "a\nb\nc\nd", after: "a\nb\nchanged\nd" });
  for (const wrap of ["", "&wrap=1"]) {
    await open(`show=html&raw=1${wrap}`);
    const line = await viewer().locator("[data-sought]").boundingBox();
    const mark = await viewer().locator("[aria-hidden] > .bg-changed-mark").boundingBox();
    expect(mark).toMatchObject({ y: line?.y, height: line?.height });
  }
});

test("HTML that fails can be tried again; a removed capture says so", async () => {
  let status = 500;
  await page.route("**/html", (route) => route.fulfill({ status, json: {} }));
  await open("show=html");
  await expect(viewer().getByText("The HTML could not be shown")).toBeVisible(patient);
  await expect(viewer().getByRole("button", { name: "Try again" })).toBeVisible();
  status = 404;
  await viewer().getByRole("button", { name: "Try again" }).click();
  await expect(viewer().getByText("This capture is no longer here")).toBeVisible(patient);
  await expect(viewer().getByRole("button", { name: "Try again" })).toBeHidden();
  await expectSound(page);
  await page.unrouteAll();
});

test("any two by the picker", async () => {
  await page.goto(`${product.url}/dashboard?view=jobs&job=${jobId}&execution=${newest}`);
  await expect(index()).toHaveText("Execution #2", patient);
  await viewer().getByRole("combobox", { name: "Compare with" }).selectOption(hostileId);
  await expect(viewer().getByText("Against #3")).toBeVisible(patient);
});
