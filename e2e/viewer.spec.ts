// One change in every mode of the viewer, shared by a link that is then revoked, and hostile captures. axe examines the
// viewer with its pictures side by side in noise.spec.ts, where there is more on the screen.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { isLong } from "./size.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, mailOf } from "./web/visitor.ts";

let watching: Watching;
let product: Watching["product"];
let site: Watching["site"];
let jobId = "";
let newest = "";
let hostileId = "";
let page: Page;
const externalRequests: string[] = [];
const screen = { viewport: { width: 1280, height: 800 } };

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, mailOf("viewer"));
  ({ product, site } = watching);
  const trigger = { url: `${site.url}hook`, method: "POST", body: '{"text":"{{summary}}"}' };
  ({ jobId } = await watching.watch({ group: "Programmes", name: "Acme scope", trigger }));
  site.page.banner = "New: up to $20,000";
  site.page.rows[1] = "api2.acme.example";
  newest = (await watching.check(jobId, 2))[0]?.id ?? "";
  page = await watching.open(browser);
  page.on("request", (request) => {
    if (!request.url().startsWith(product.url) && !request.url().startsWith("blob:"))
      externalRequests.push(request.url());
  });
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const viewer = () => page.getByRole("dialog", { name: "Acme scope" });
const index = () => viewer().getByRole("heading", { name: /^Execution #/ });
const expectPressed = (name: string) =>
  expect(viewer().getByRole("button", { name })).toHaveAttribute("aria-pressed", "true", patient);
const addressOf = (parts = "") =>
  `${product.url}/dashboard?view=jobs&job=${jobId}&execution=${newest}&${parts}`;
/** Opens the viewer within the application, as a link does. */
const open = (parts = "") => follow(page, addressOf(parts));
/** Loads the viewer from its URL, as a colleague would who has nothing loaded yet. */
const load = (parts = "") => page.goto(addressOf(parts));

test("two clicks lead from the menu to the change", async () => {
  await page.getByRole("navigation").getByRole("link", { name: "Jobs", exact: true }).click();
  await page.getByRole("list", { name: "Executions" }).getByRole("link").first().click();
  await expect(viewer().getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  await expect(viewer().getByText("Compared with #1")).toBeVisible();
});

test("rapid key presses are all handled, and closing the viewer focuses the execution's row", async () => {
  await page.evaluate(`for (let i = 0; i < 3; i++)
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }))`);
  await expect(index()).toHaveText("Execution #1", patient);
  await page.keyboard.press("Escape");
  await expect(viewer()).toBeHidden();
  await expect(page.getByRole("list", { name: "Executions" }).getByRole("link").last()).toBeFocused();
  await page.goBack();
  await expect(viewer()).toBeHidden();
});

test("a failed comparison shows a message, and so does a deleted execution to compare with", async () => {
  await page.route("**/compare?*", (route) => route.fulfill({ status: 500, json: {} }));
  await load();
  await expect(viewer().getByText(/^We couldn’t load the comparison/)).toBeVisible(patient);
  await expect(viewer().getByText("No regions")).toBeHidden();
  await page.unroute("**/compare?*");
  await viewer().getByRole("button", { name: "Try again" }).click();
  await expect(viewer().getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  await open(`with=${newest.replace(/.{12}$/, "000000000000")}`);
  await expect(viewer().getByText(/was deleted, so this one is shown alone/)).toBeVisible(patient);
});

test("keys select every image mode, and the URL contains the mode", async () => {
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

test("an inserted banner leaves a gap, so that unchanged content stays aligned", async () => {
  const gap = await page.evaluate<{ banner: number; height: number }>(`(() => {
    const [before, after] = [...document.querySelectorAll("[data-scroller]")];
    const bands = (scroller) => [...scroller.querySelectorAll(".bg-white > div")].map((band) =>
      ({ top: band.offsetTop, height: band.offsetHeight, gap: !band.style.backgroundSize }));
    const gaps = bands(before).filter((band) => band.gap);
    return { banner: gaps[0]?.top ?? -1, height: bands(before).length - bands(after).length };
  })()`);
  expect(gap).toEqual({ banner: 0, height: 0 });
});

test("keys step through regions, no zoom key is lost, and both sides scroll together", async () => {
  await open();
  await expect(viewer().getByText(/^1 of \d+ regions$/)).toBeVisible(patient);
  await expect(viewer().locator("[data-scroller]")).toHaveCount(2, patient);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/at=1/);
  for (let i = 0; i < 6; i++) await page.keyboard.press("+");
  // Zooming starts at the size that fits and stops once at the picture's own size.
  await expect(page).toHaveURL(/zoom=1.25/);
  await expect(viewer().getByText("125%")).toBeVisible();
  const scrollers = "[...document.querySelectorAll('[data-scroller]')]";
  const tops = () => page.evaluate<number[]>(`${scrollers}.map((one) => Math.round(one.scrollTop))`);
  for (const [leader, top] of [
    [0, 120],
    [1, 340],
    [0, 200],
  ] as const) {
    // Until zooming has moved the middle of the view back to its place, it may move it once more.
    const scrollLeader = () => page.evaluate(`${scrollers}[${leader}].scrollTop = ${top}`);
    await expect.poll(() => scrollLeader().then(tops)).toEqual([top, top]);
  }
  // The middle of the view stays in the middle, on both sides.
  await page.keyboard.press("0");
  await expect(viewer().getByText("Fit", { exact: true })).toBeVisible();
  await expect.poll(async () => new Set(await tops()).size).toBe(1);
});

test("HTML: side by side, word marks, filter, unified, wrap and search work", async () => {
  await open("show=html");
  await expect(viewer().getByText(/^\d+ of \d+ changes?$/)).toBeVisible(patient);
  await expect(viewer().locator(".bg-added-mark").first()).toBeVisible();
  const identical = viewer().getByText("Rule 3: be kind to production systems.");
  const folds = viewer().getByText(/identical lines$/);
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/filter=1/);
  await expect(identical).toHaveCount(0);
  await expect(folds.first()).toBeVisible();
  await expectAccessible(page);
  await folds.last().click();
  await page.keyboard.press("f");
  await page.keyboard.press("u");
  await expect(page).toHaveURL(/layout=unified/);
  await expectAccessible(page);
  await page.keyboard.press("w");
  await page.keyboard.press("/");
  await page.keyboard.type("api2");
  await expect(viewer().getByText("1 of 1 hit")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer()).toBeVisible();
});

test("the URL of a view opens the same view in a new page load", async () => {
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/filter=1/);
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await expectPressed("Filter new findings");
  await expectPressed("Unified");
  await expectPressed("Wrap");
});

test("previous and next wrap around; a capture is shown alone or compared in the other direction", async () => {
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
  await expect(viewer().getByText("Compared with #2")).toBeVisible(patient);
});

test("'?' shows the keyboard shortcuts", async () => {
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys.getByText("Filter new findings")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(viewer()).toBeVisible();
});

test("'Trigger HTTP' shows the trigger's run and can run it again", async () => {
  await open("triggers=1");
  const pane = viewer().getByRole("region", { name: "Trigger HTTP" });
  await expect(pane.getByText("Answered 202")).toBeVisible(patient);
  await expect(pane.getByText(`POST ${site.url}hook`)).toBeVisible();
  await expect(pane.getByText('{"heard":true}')).toBeVisible();
  expect(site.hooked).toHaveLength(1);
  await pane.getByRole("button", { name: "Run again" }).click();
  await expect(pane.getByText("by hand")).toBeVisible(patient);
  expect(site.hooked[1]).toBe(site.hooked[0]);
  await expectAccessible(page);
});

test("V6 a shared comparison is visible without an account until its link is revoked", async ({
  browser,
}) => {
  await open();
  await viewer().getByRole("button", { name: "Share Result" }).click();
  const dialog = page.getByRole("dialog", { name: "Share Result" });
  await dialog.getByLabel("7 days", { exact: true }).press("ArrowLeft");
  await expect(dialog.getByLabel("1 day", { exact: true })).toBeChecked();
  // The URL also opens the dialog, which keeps the focus above the viewer, however late the viewer loads.
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
  await expectAccessible(page);
  const stranger = await (await browser.newContext(screen)).newPage();
  const answer = await stranger.goto(link.replace(/^https?:\/\/[^/]+/, product.url));
  expect(answer?.headers()["x-robots-tag"]).toBe("noindex, nofollow");
  await expect(stranger.getByRole("heading", { name: site.url })).toBeVisible(patient);
  await expect(stranger.getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  await expect(stranger.locator("meta[name=robots]")).toHaveAttribute("content", "noindex, nofollow");
  await stranger.keyboard.press("i");
  await expect(stranger.getByText(/^1 of \d+ changes?$/)).toBeVisible(patient);
  expect(await stranger.content()).not.toContain("Acme scope");
  await expectAccessible(stranger);
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(dialog.getByRole("heading", { name: "Your links" })).toBeHidden();
  await expect(dialog.getByLabel("Link", { exact: true })).toBeHidden();
  await stranger.reload();
  await expect(stranger.getByText("This link does not work")).toBeVisible(patient);
  await expectAccessible(stranger);
  const revoked = await stranger.locator("main").innerHTML();
  await stranger.goto(`${product.url}/share/${"x".repeat(32)}`);
  await expect(stranger.getByText("This link does not work")).toBeVisible(patient);
  expect(await stranger.locator("main").innerHTML()).toBe(revoked);
  await stranger.context().close();
});

const hostile = `<script>globalThis.owned = 1; fetch("https://evil.example/a")</script>
<img src="https://evil.example/b" onerror="globalThis.owned = 2"><svg onload="globalThis.owned = 3"></svg>
<p>user\u202Egnp.exe and a null \u0000 byte</p><p style="white-space:nowrap;overflow:hidden">${"long ".repeat(isLong ? 60_000 : 20_000)}</p>`;

test("V1 V2 V3 a hostile capture runs no script, shows control characters as codes and doesn't freeze the page", async () => {
  site.page.extra = hostile;
  const [third] = await watching.check(jobId, 3);
  hostileId = third?.id ?? "";
  const part = `/api/jobs/${jobId}/executions/${hostileId}`;
  await page.goto(
    `${product.url}/dashboard?view=jobs&job=${jobId}&execution=${hostileId}&show=html&filter=1`,
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
  expect(externalRequests).toEqual([]);
  const raw = await page.goto(`${product.url}${part}/html`);
  expect(raw?.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  expect(raw?.headers()["content-security-policy"]).toBe("sandbox; default-src 'none'");
  expect(await page.evaluate("globalThis.owned")).toBeUndefined();
});

test("600 px, dark: the viewer is accessible and fits the screen", async () => {
  await load();
  await page.setViewportSize({ width: 600, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  // The short run leaves out what the tests above examined at 1280 px, and a mode that has the controls of another.
  const others = isLong ? ["mode=difference", "show=html&filter=1", "triggers=1"] : [];
  for (const parts of ["mode=slider", ...others, "with=off"]) {
    await open(parts);
    await expect(index()).toHaveText("Execution #2", patient);
    await expect(viewer().locator("[data-scroller]").first()).toBeAttached(patient);
    await expectAccessible(page);
  }
  await page.setViewportSize(screen.viewport);
  await page.emulateMedia({ colorScheme: "light" });
});

type Box = { x: number; y: number; width: number; height: number };
/** Where the viewer's parts are on the screen. */
const measure = () =>
  page.evaluate<{ picture: Box; signs: Box[]; sheets: Box[]; regions: Box[] }>(`(() => {
    const box = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    };
    const all = (selector) => [...document.querySelectorAll(selector)].map(box);
    const [picture] = all("[data-scroller]");
    return { picture, signs: all("[data-sign]"), sheets: all(".bg-white:has(> div)"), regions: all("[data-region]") };
  })()`);
const overlap = (a: Box, b: Box) =>
  a.x + a.width > b.x + 1 && b.x + b.width > a.x + 1 && a.y + a.height > b.y && b.y + b.height > a.y;

test("the signs of regions are beside the pictures, and cover nothing of them", async () => {
  for (const mode of ["side", "slider"]) {
    await open(`mode=${mode}`);
    await expect(viewer().locator("[data-sign]").first()).toBeAttached(patient);
    const { signs, sheets, regions } = await measure();
    expect(signs.length).toBe(regions.length);
    for (const sign of signs) expect(sheets.filter((sheet) => overlap(sign, sheet))).toEqual([]);
    // A mark of a line has no side that could cover a digit next to it.
    const sides =
      "[...document.querySelectorAll('[data-region]')].filter((mark) => mark.clientHeight <= 40)" +
      ".map((mark) => { const style = getComputedStyle(mark); return [style.borderLeftWidth, style.outlineStyle]; })";
    const lines = (await page.evaluate(sides)) as unknown[];
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toEqual(["0px", "none"]);
    // Each sign is next to its region.
    expect(signs.every((sign) => regions.some((region) => Math.abs(sign.y - region.y) < 40))).toBe(true);
  }
});

test("a phone starts with the slider, and its controls take at most a quarter of the height", async () => {
  for (const height of isLong ? [667, 812] : [667]) {
    await page.setViewportSize({ width: 375, height });
    await load();
    const slider = viewer().getByRole("slider", { name: "How much of the earlier capture shows" });
    await expect(slider).toBeInViewport(patient);
    await expect(viewer().locator("[data-region]").first()).toBeAttached();
    const { picture } = await measure();
    expect(picture.y).toBeLessThanOrEqual(height / 4);
    expect(picture.y + picture.height).toBeLessThanOrEqual(height);
  }
});

test("at 200 % zoom the picture keeps half of the window; the other controls are in its options", async () => {
  await page.setViewportSize({ width: 640, height: 400 });
  await load();
  await expect(viewer().locator("[data-region]").first()).toBeAttached(patient);
  const { picture } = await measure();
  expect(Math.min(400, picture.y + picture.height) - picture.y).toBeGreaterThanOrEqual(200);
  const options = viewer().getByRole("button", { name: "Options" });
  await expect(viewer().getByRole("combobox", { name: "Compare with" })).toBeHidden();
  await options.focus();
  await page.keyboard.press("Enter");
  await expect(viewer().getByRole("combobox", { name: "Compare with" })).toBeVisible();
  await expect(viewer().getByRole("button", { name: "Share Result" })).toBeVisible();
  expect((await measure()).picture.y).toBe(picture.y);
  await expectAccessible(page);
  await viewer().getByRole("combobox", { name: "Comparison mode" }).selectOption("difference");
  await expect(page).toHaveURL(/mode=difference/);
  await page.keyboard.press("Escape");
  await expect(viewer().getByRole("combobox", { name: "Compare with" })).toBeHidden();
  await expect(options).toBeFocused();
  await page.setViewportSize(screen.viewport);
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

test("HTML: a change or search hit far to the right is scrolled into view; Shift and an arrow key pan", async () => {
  const text = "word ".repeat(170);
  const same = Array.from({ length: 60 }, (_, i) => `<p>line ${i}</p>`).join("\n");
  const html = (near: string, far: string, beyond: string) =>
    `<p>${near}</p>\n${same}\n<p>${text}${far}</p>\n${same}\n<p>${text.repeat(8)}${beyond}</p>\n`;
  await answerHtml({ before: html("one", "last", "old"), after: html("two", "final", "new") });
  const mark = (word: string) => viewer().locator("[data-mark]", { hasText: word });
  const all = [
    [1280, "split"],
    [600, "unified"],
    [600, "split"],
  ] as const;
  for (const [width, layout] of isLong ? all : all.slice(0, 2)) {
    await page.setViewportSize({ width, height: 800 });
    await load(`show=html&raw=1&at=1&layout=${layout}`);
    for (const word of ["last", "final"]) await expect(mark(word)).toBeInViewport(patient);
    await page.keyboard.press("n");
    // Beyond the point at which a long line is cut.
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

test("HTML: an expanded run of identical lines keeps the focus, also when it is scrolled out of view", async () => {
  const same = Array.from({ length: 200 }, (_, i) => `line ${i}`).join("\n");
  await answerHtml({ before: `${same}\nold`, after: `${same}\nnew` });
  await load("show=html&raw=1&filter=1");
  await viewer().getByText("200 identical lines").press("Enter");
  await expect(viewer().locator(":focus")).toContainText("line 0");
  // Chromium scrolls to the end that it last drew.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.keyboard.press("End");
  await expect(viewer().getByText("line 199").first()).toBeInViewport();
  await expect(viewer().getByRole("region", { name: "HTML" })).toBeFocused();
});

test("HTML: when all lines are visible, the marks of the overview are aligned with them", async () => {
  await answerHtml({ before: "a\nb\nc\nd", after: "a\nb\nchanged\nd" });
  for (const wrap of ["", "&wrap=1"]) {
    await (wrap ? open : load)(`show=html&raw=1${wrap}`);
    const line = await viewer().locator("[data-sought]").boundingBox();
    const mark = await viewer().locator("[aria-hidden] > .bg-changed-mark").boundingBox();
    expect(mark).toMatchObject({ y: line?.y, height: line?.height });
  }
});

test("HTML that fails to load can be retried; a deleted capture shows a message", async () => {
  let status = 500;
  await page.route("**/html", (route) => route.fulfill({ status, json: {} }));
  await load("show=html");
  await expect(viewer().getByText("We couldn’t show the HTML")).toBeVisible(patient);
  await expect(viewer().getByRole("button", { name: "Try again" })).toBeVisible();
  status = 404;
  await viewer().getByRole("button", { name: "Try again" }).click();
  await expect(viewer().getByText("This capture is no longer here")).toBeVisible(patient);
  await expect(viewer().getByRole("button", { name: "Try again" })).toBeHidden();
  await expectAccessible(page);
  await page.unrouteAll();
});

test("'Compare with' selects any two executions", async () => {
  await load();
  await expect(index()).toHaveText("Execution #2", patient);
  await viewer().getByRole("combobox", { name: "Compare with" }).selectOption(hostileId);
  await expect(viewer().getByText("Compared with #3")).toBeVisible(patient);
});
