import { expect } from "@playwright/test";
import { test } from "../fixtures.ts";

test("header, footer and buttons lead where the specification says", async ({ page, product }) => {
  await page.goto(product.url);
  const header = page.getByRole("banner");
  const footer = page.getByRole("contentinfo");
  const target = (name: string) => page.getByRole("link", { name, exact: true }).first();
  await expect(header.getByRole("link", { name: "Watchglass" })).toHaveAttribute("href", "/");
  await expect(header.getByRole("link", { name: "Signin" })).toHaveAttribute("href", "/login");
  await expect(header.getByRole("link", { name: "Signup" })).toHaveAttribute("href", "/register");
  await expect(target("Start for free")).toHaveAttribute("href", "/register");
  await expect(page.getByRole("button", { name: "Demo" })).toHaveCount(0);
  await expect(target("Get started")).toHaveAttribute("href", "/register");
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

test("the front page is readable before any script, and nothing moves when they come", async ({
  browser,
  product,
}) => {
  const silent = await browser.newContext({ javaScriptEnabled: false });
  const still = await silent.newPage();
  await still.goto(product.url);
  await expect(
    still.getByRole("heading", { level: 1, name: "Know what changed on any page." }),
  ).toBeVisible();
  await expect(still.getByRole("link", { name: "Start for free" })).toBeVisible();
  await silent.close();

  const page = await browser.newPage({ viewport: { width: 412, height: 823 } });
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(product.url, { waitUntil: "networkidle" });
  await expect(page.getByText(`© ${new Date().getFullYear()} Watchglass`)).toBeVisible();
  const shift = await page.evaluate<number>(`new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value)))
      .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 200);
  })`);
  expect(shift).toBeLessThan(0.01);
  expect(problems).toEqual([]);
  await page.close();
});

test("prices are those of the plan table", async ({ page, product }) => {
  await page.goto(product.url);
  const prices = page.getByRole("columnheader");
  await expect(prices).toHaveText([/Basic.*0\$/, /Professional.*9\$/, /Ultimate.*19\$/]);
});

for (const from of ["/", "/terms-and-conditions"]) {
  test(`'Use Cases' and 'Pricing' scroll to their sections from ${from}`, async ({ page, product }) => {
    await page.goto(product.url + from);
    for (const name of ["Pricing", "Use Cases"]) {
      await page.getByRole("banner").getByRole("link", { name }).click();
      await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeInViewport();
    }
  });
}

test("a second click on the same item scrolls there again", async ({ page, product }) => {
  await page.goto(product.url);
  const pricing = page.getByRole("heading", { level: 2, name: "Pricing" });
  const item = page.getByRole("banner").getByRole("link", { name: "Pricing" });
  await item.click();
  await expect(pricing).toBeInViewport();
  await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
  await expect(pricing).not.toBeInViewport();
  await item.click();
  await expect(pricing).toBeInViewport();
});

test("the terms have fourteen sections, open at the top and name the configured jurisdiction", async ({
  page,
  product,
}) => {
  await page.goto(product.url);
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

test("privacy is dated", async ({ page, product }) => {
  await page.goto(`${product.url}/privacy`);
  await expect(page.getByText("Last updated: June 15, 2025")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(14);
});

test("a chosen theme outlives a reload and is there before the first paint", async ({ page, product }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(product.url);
  await page.getByRole("radio", { name: "Dark" }).click({ force: true });
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator("html[data-theme=dark]")).toBeAttached();
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  expect(await page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
});

test("a chunk that fails to load is told, and a reload repairs it", async ({ page, product }) => {
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

test("the keyboard reaches the content past the header", async ({ page, product }) => {
  await page.goto(product.url);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Start for free" })).toBeFocused();
});

test("nothing is asked of another host", async ({ page, product }) => {
  const strangers: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(product.url).origin) strangers.push(request.url());
  });
  for (const path of ["/", "/about", "/login", "/register", "/mailbox"]) {
    await page.goto(product.url + path, { waitUntil: "networkidle" });
  }
  expect(strangers).toEqual([]);
});
