import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "../fixtures.ts";
import { follow, mailOf, makeAccount, password } from "./visitor.ts";

// The tests share a page, on which most of them only follow a link.
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser, product }) => {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(product.url);
});
test.afterAll(() => page.context().close());

test("header, footer and buttons link to the pages that the specification names", async () => {
  const header = page.getByRole("banner");
  const footer = page.getByRole("contentinfo");
  const firstLink = (name: string) => page.getByRole("link", { name, exact: true }).first();
  await expect(header.getByRole("link", { name: "Watchglass" })).toHaveAttribute("href", "/");
  await expect(header.getByRole("link", { name: "Signin" })).toHaveAttribute("href", "/login");
  await expect(header.getByRole("link", { name: "Signup" })).toHaveAttribute("href", "/register");
  await expect(firstLink("Start for free")).toHaveAttribute("href", "/register");
  await expect(page.getByRole("button", { name: "Demo" })).toHaveCount(0);
  await expect(firstLink("Get started")).toHaveAttribute("href", "/register");
  for (const plan of ["Basic", "Professional", "Ultimate"]) {
    await expect(page.getByRole("link", { name: `Choose ${plan}` })).toHaveAttribute("href", "/login");
  }
  await expect(footer.getByRole("link")).toHaveText(["About", "Terms and Conditions", "Privacy Policy"]);
  await expect(
    footer.getByText(`© ${new Date().getFullYear()} Watchglass. All rights reserved`),
  ).toBeVisible();
  await expect(footer.getByText(/^Thanks/)).toBeVisible();
  for (const label of ["Our social media", "Support"]) {
    await expect(footer.getByText(label)).toBeVisible();
    await expect(footer.getByRole("link", { name: label })).toHaveCount(0);
  }
  await expect(
    page.getByRole("link", { name: "Demo" }).or(page.getByRole("button", { name: "Demo" })),
  ).toHaveCount(0);
});

test("the front page is readable without scripts, and loading them shifts nothing", async ({
  browser,
  product,
}) => {
  const contextWithoutScripts = await browser.newContext({ javaScriptEnabled: false });
  const pageWithoutScripts = await contextWithoutScripts.newPage();
  await pageWithoutScripts.goto(product.url);
  await expect(
    pageWithoutScripts.getByRole("heading", { level: 1, name: "Know what changed on any page." }),
  ).toBeVisible();
  await expect(pageWithoutScripts.getByRole("link", { name: "Start for free" })).toBeVisible();
  await contextWithoutScripts.close();

  const phone = await browser.newPage({ viewport: { width: 412, height: 823 } });
  const problems: string[] = [];
  phone.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await phone.goto(product.url, { waitUntil: "networkidle" });
  await expect(phone.getByText(`© ${new Date().getFullYear()} Watchglass`)).toBeVisible();
  const shift = await phone.evaluate<number>(`new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value)))
      .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 200);
  })`);
  expect(shift).toBeLessThan(0.01);
  expect(problems).toEqual([]);
  await phone.close();
});

test("the sign-in can be filled in before its scripts are there, and the browser doesn't send it", async ({
  browser,
  product,
}) => {
  const email = mailOf("early");
  await makeAccount(product, email);
  const early = await browser.newPage();
  const scripts = Promise.withResolvers<void>();
  await early.route("**/assets/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await early.goto(`${product.url}/login`);
  await early.getByLabel("Email").fill(email);
  await early.getByLabel("Password").fill(password);
  await early.getByLabel("Password").press("Enter");
  const login = early.getByRole("button", { name: "Login" });
  await expect(login).toBeDisabled();
  expect(early.url()).toBe(`${product.url}/login`);
  scripts.resolve();
  await login.click();
  await early.waitForURL(/\/dashboard/);
  await early.close();
});

test("the prices match the plan table", async () => {
  const prices = page.getByRole("columnheader");
  await expect(prices).toHaveText(["Plan", /Basic.*0\$/, /Professional.*9\$/, /Ultimate.*19\$/]);
});

test("375 px: the table of plans says that more plans follow and scrolls by keyboard", async () => {
  await page.setViewportSize({ width: 375, height: 800 });
  await expect(page.getByText("3 plans: scroll sideways to compare them.")).toBeVisible();
  const table = page.getByRole("region", { name: "Plans compared" });
  const edges = async (cell: Locator) => {
    const box = await cell.boundingBox();
    return { left: box?.x ?? -1, right: (box?.x ?? 0) + (box?.width ?? 999) };
  };
  const ultimate = page.getByRole("columnheader", { name: /Ultimate/ });
  expect((await edges(ultimate)).right).toBeGreaterThan(375);
  await table.focus();
  await expect(table).toBeFocused();
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
  await expect.poll(async () => (await edges(ultimate)).right).toBeLessThanOrEqual(375);
  // The names of the rows stay in view.
  expect((await edges(page.getByRole("rowheader", { name: "Minimum interval" }))).left).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1280, height: 800 });
});

for (const from of ["/", "/terms-and-conditions"]) {
  test(`'Use Cases' and 'Pricing' scroll to their sections from ${from}`, async ({ product }) => {
    await follow(page, product.url + from);
    for (const name of ["Pricing", "Use Cases"]) {
      await page.getByRole("banner").getByRole("link", { name }).click();
      await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeInViewport();
    }
  });
}

test("a second click on the same menu item scrolls there again", async () => {
  const pricing = page.getByRole("heading", { level: 2, name: "Pricing" });
  const item = page.getByRole("banner").getByRole("link", { name: "Pricing" });
  await item.click();
  await expect(pricing).toBeInViewport();
  await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
  await expect(pricing).not.toBeInViewport();
  await item.click();
  await expect(pricing).toBeInViewport();
});

test("the terms have fourteen sections, open at the top and name the configured jurisdiction", async () => {
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms and Conditions" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Terms and Conditions" })).toBeInViewport();
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  const sections = page.getByRole("heading", { level: 2 });
  await expect(sections).toHaveCount(14);
  await expect(sections.first()).toHaveText("1. Definitions");
  await expect(sections.last()).toHaveText("14. Contact");
  await expect(page.getByText("the law of Ruritania")).toBeVisible();
  await expect(page.getByRole("link", { name: "help@ruritania.example" })).toHaveAttribute(
    "href",
    "mailto:help@ruritania.example",
  );
});

test("the privacy policy shows its date", async () => {
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByText("Last updated: June 15, 2025")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(14);
});

test("a chosen theme survives a reload and is set before the first paint", async () => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("radio", { name: "Dark" }).click({ force: true });
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator("html[data-theme=dark]")).toBeAttached();
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
});

test("a chunk that fails to load shows a message, and a reload loads it", async ({ product }) => {
  await page.goto(product.url);
  await page.route(/\/assets\/terms-.*\.js$/, (route) => route.abort());
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms and Conditions" }).click();
  await expect(page.getByText("Loading chunk terms failed.")).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms and Conditions" }).click();
  await expect(page.getByText("Loading chunk terms failed.")).toBeVisible();
  await page.unroute(/\/assets\/terms-.*\.js$/);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Terms and Conditions" })).toBeVisible();
});

test("'Skip to content' moves the keyboard focus past the header, also before the app takes the page over", async ({
  product,
}) => {
  const isPart = /\/assets\/(landing|public-layout)-/;
  const parts = Promise.withResolvers<void>();
  await page.route(isPart, async (route) => {
    await parts.promise;
    await route.continue();
  });
  const entry = page.waitForResponse(/\/assets\/index-.*\.js$/);
  await page.goto(product.url);
  await (await entry).finished();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  parts.resolve();
  await expect(page.getByText(`© ${new Date().getFullYear()} Watchglass`)).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await page.unroute(isPart);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Start for free" })).toBeFocused();
});

test("public pages send no request to another host", async ({ product }) => {
  const externalRequests: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(product.url).origin) externalRequests.push(request.url());
  });
  for (const path of ["/", "/about", "/login", "/register", "/mailbox"]) {
    await page.goto(product.url + path, { waitUntil: "networkidle" });
  }
  expect(externalRequests).toEqual([]);
});
