// Every screen, light at 1280 px and dark at 600: nothing overflows, axe finds nothing, nothing is logged as an error.
// The short run opens each screen in only one of these two variants, alternating: neighbors in the lists share parts.
import { expect, type Page } from "@playwright/test";
import { test } from "../fixtures.ts";
import type { Product } from "../product.ts";
import { isLong } from "../size.ts";
import { expectAccessible, logIn, mailOf, makeAccount } from "./visitor.ts";

const email = mailOf("ana.martins");
let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  await makeAccount(product, email);
});

type Screen = {
  name: string;
  path: string;
  heading: string;
  status?: number;
  /** A button of the screen and the dialog that it opens, which is examined too. */
  opens?: { button: string; dialog: "alertdialog" | "dialog"; name: string };
};

const publicScreens: Screen[] = [
  { name: "landing", path: "/", heading: "Know what changed on any page." },
  { name: "about", path: "/about", heading: "About Watchglass" },
  { name: "terms", path: "/terms-and-conditions", heading: "Terms and Conditions" },
  { name: "privacy", path: "/privacy", heading: "Privacy Policy" },
  { name: "not-found", path: "/nowhere/at/all", heading: "There is no page here", status: 404 },
  {
    name: "login",
    path: "/login",
    heading: "Sign in",
    opens: { button: "Login", dialog: "alertdialog", name: "Login Failed" },
  },
  { name: "register", path: "/register", heading: "Create your account" },
  { name: "registered", path: "/register/finished/ana%40example.com", heading: "You are getting closer" },
  { name: "recover", path: "/recover", heading: "Recovery" },
  { name: "new-password", path: "/recover/some-token", heading: "Set up a new password" },
  { name: "mailbox", path: "/mailbox", heading: "Mailbox" },
];

const signedInScreens: Screen[] = [
  { name: "dashboard", path: "/dashboard", heading: "Dashboard" },
  {
    name: "jobs",
    path: "/dashboard?view=jobs",
    heading: "Jobs",
    opens: { button: "New Group", dialog: "dialog", name: "New Group" },
  },
  { name: "all-jobs", path: "/dashboard?view=all-jobs", heading: "All jobs" },
  { name: "reports", path: "/dashboard?view=reports", heading: "Reports" },
  {
    name: "profile",
    path: "/dashboard?view=profile",
    heading: "Profile",
    opens: { button: "Delete Account", dialog: "dialog", name: "Delete Account" },
  },
  { name: "channels", path: "/dashboard?view=profile&part=channels", heading: "Profile" },
  {
    name: "proxies",
    path: "/dashboard?view=profile&part=proxies",
    heading: "Profile",
    opens: { button: "New proxy", dialog: "dialog", name: "New proxy" },
  },
  { name: "activity", path: "/dashboard?view=profile&part=activity", heading: "Profile" },
  {
    name: "billing",
    path: "/dashboard?view=billing",
    heading: "Plan and billing",
    opens: { button: "What's the difference?", dialog: "dialog", name: "What's the difference?" },
  },
];

// e2e/all-widths.spec.ts measures whether anything overlaps or is cut off at any width.
const variants = [
  { width: 1280, colorScheme: "light" },
  { width: 600, colorScheme: "dark" },
] as const;

async function show(page: Page, screen: Screen): Promise<void> {
  const answer = await page.goto(product.url + screen.path);
  expect(answer?.status()).toBe(screen.status ?? 200);
  await expect(page.getByRole("heading", { level: 1, name: screen.heading })).toBeVisible();
  await page.waitForLoadState("load");
  await expectAccessible(page);
}

async function showDialog(page: Page, { button, dialog, name }: NonNullable<Screen["opens"]>): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
  await expect(page.getByRole(dialog, { name })).toBeVisible();
  await expectAccessible(page);
}

for (const [variantIndex, { width, colorScheme }] of variants.entries()) {
  test.describe(`${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme });

    test("every screen, a message box and a dialog are accessible and log no error", async ({ page }) => {
      const problems: string[] = [];
      // A page that doesn't exist, a recovery link that doesn't work and a sign-in without a password are answered with
      // an error, as they should be.
      const expectedErrorUrl = /\/nowhere\/|\/api\/recover\/|\/api\/auth\/login$/;
      page.on("console", (message) => {
        if (message.type() === "error" && !expectedErrorUrl.test(message.location().url))
          problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(error.message));
      const showAll = async (screens: Screen[]) => {
        for (const screen of screens.filter((_, i) => isLong || i % variants.length === variantIndex)) {
          await test.step(screen.name, () => show(page, screen));
          const { opens } = screen;
          if (opens) await test.step(opens.name, () => showDialog(page, opens));
        }
      };
      await showAll(publicScreens);
      await logIn(page, product, email);
      await showAll(signedInScreens);
      expect(problems).toEqual([]);
    });
  });
}
