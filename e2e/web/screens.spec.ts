// Every screen, light at 1280 px and dark at 600: nothing overflows, axe finds nothing, nothing is logged as an error.
// The short form opens every screen once, in alternating looks; neighbours in the lists are built of the same parts.
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { test } from "../fixtures.ts";
import type { Product } from "../product.ts";
import { isLong } from "../size.ts";
import { expectSound, makeAccount, signIn } from "./visitor.ts";

const pictures = process.env.PICTURES ? join(import.meta.dirname, "../../docs/pictures") : undefined;
const email = "ana.martins@example.com";
let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  await makeAccount(product, email);
});

type Screen = { name: string; path: string; heading: string; status?: number };

const open: Screen[] = [
  { name: "landing", path: "/", heading: "Know what changed on any page." },
  { name: "about", path: "/about", heading: "About Watchglass" },
  { name: "terms", path: "/terms-and-conditions", heading: "Terms and Conditions" },
  { name: "privacy", path: "/privacy", heading: "Privacy Policy" },
  { name: "not-found", path: "/nowhere/at/all", heading: "There is no page here", status: 404 },
  { name: "login", path: "/login", heading: "Sign in" },
  { name: "register", path: "/register", heading: "Create your account" },
  { name: "registered", path: "/register/finished/ana%40example.com", heading: "You are getting closer" },
  { name: "recover", path: "/recover", heading: "Recovery" },
  { name: "new-password", path: "/recover/some-token", heading: "Set up a new password" },
  { name: "mailbox", path: "/mailbox", heading: "Mailbox" },
];

const signedIn: Screen[] = [
  { name: "dashboard", path: "/dashboard", heading: "Dashboard" },
  { name: "jobs", path: "/dashboard?view=jobs", heading: "Jobs" },
  { name: "reports", path: "/dashboard?view=reports", heading: "Reports" },
  { name: "profile", path: "/dashboard?view=profile", heading: "Profile" },
  { name: "billing", path: "/dashboard?view=billing", heading: "Plan and billing" },
];

// Whether anything overlaps or is cut off, at any width, is measured by e2e/all-widths.spec.ts.
const looks = [
  { width: 1280, colorScheme: "light" },
  { width: 600, colorScheme: "dark" },
] as const;

async function show(page: Page, screen: Screen): Promise<void> {
  const answer = await page.goto(product.url + screen.path);
  expect(answer?.status()).toBe(screen.status ?? 200);
  await expect(page.getByRole("heading", { level: 1, name: screen.heading })).toBeVisible();
  await page.waitForLoadState("load");
  await expectSound(page);
}

for (const [turn, { width, colorScheme }] of looks.entries()) {
  test.describe(`${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme });

    test("every screen", async ({ page }) => {
      const problems: string[] = [];
      // A page that doesn't exist and a recovery link that doesn't work are answered with an error, as they should be.
      const isAnswer = /\/nowhere\/|\/api\/recover\//;
      page.on("console", (message) => {
        if (message.type() === "error" && !isAnswer.test(message.location().url))
          problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(error.message));
      const showAll = async (screens: Screen[]) => {
        for (const screen of screens.filter((_, i) => isLong || pictures || i % looks.length === turn)) {
          await test.step(screen.name, () => show(page, screen));
          if (pictures)
            await page.screenshot({ path: join(pictures, `${screen.name}-${width}-${colorScheme}.png`) });
        }
      };
      await showAll(open);
      await signIn(page, product, email);
      await showAll(signedIn);
      expect(problems).toEqual([]);
    });

    test("message box and dialog", async ({ page }) => {
      await page.goto(`${product.url}/login`);
      await page.getByRole("button", { name: "Login" }).click();
      await expect(page.getByRole("alertdialog", { name: "Login Failed" })).toBeVisible();
      await expectSound(page);
      await signIn(page, product, email);
      await page.goto(`${product.url}/dashboard?view=profile`);
      await page.getByRole("button", { name: "Delete Account" }).click();
      await expect(page.getByRole("dialog", { name: "Delete Account" })).toBeVisible();
      await expectSound(page);
    });
  });
}
