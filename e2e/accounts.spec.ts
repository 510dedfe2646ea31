import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import type { Product } from "./product.ts";
import { activationSubject, mailOf, readLink } from "./web/visitor.ts";

/** Expects a message box with this title and text, then closes it. */
async function expectBox(page: Page, title: string, text: string): Promise<void> {
  const box = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(box.getByRole("heading", { name: title })).toBeVisible();
  await expect(box.getByText(text)).toBeVisible();
  await box.getByRole("button", { name: "Close" }).click();
}

async function signIn(page: Page, product: Product, email: string, password: string): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: /sign ?in|login/i }).click();
}

test("a user signs up, activates, logs in, resets the password and logs out", async ({ page, product }) => {
  const email = mailOf("grace");
  await page.goto(`${product.url}/`);
  await page.getByRole("link", { name: "Start for free" }).first().click();
  await page.getByLabel("First Name").fill("Grace");
  await page.getByLabel("Second Name").fill("Hopper");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("firstpass1!");
  await page.getByRole("button", { name: "Continue" }).dblclick();
  await page.waitForURL(`${product.url}/register/finished/${encodeURIComponent(email)}`);
  await expect(page.getByText(email)).toBeVisible();

  await signIn(page, product, email, "firstpass1!");
  await expectBox(page, "Login Failed", "Your account is not activated yet.");

  await page.goto(await readLink(product, email, activationSubject));
  await expectBox(page, "Account Activated", "Your account has been successfully activated.");
  await page.waitForURL(`${product.url}/login`);

  await signIn(page, product, email, "wrongpass1!");
  await expectBox(page, "Login Failed", "The email address or the password is wrong.");
  await signIn(page, product, email, "firstpass1!");
  await page.waitForURL(/\/dashboard/);
  await expect(page.getByText("Grace Hopper").first()).toBeVisible();
  const cookies = await page.context().cookies();
  expect(
    cookies.map(({ name, httpOnly, secure, sameSite }) => ({ name, httpOnly, secure, sameSite })),
  ).toEqual([{ name: "session", httpOnly: true, secure: true, sameSite: "Strict" }]);

  await page.goto(`${product.url}/recover`);
  await page.getByLabel(/e-?mail/i).fill(email);
  await page.getByRole("button", { name: "Send Recovery Link" }).click();
  await expectBox(page, "Recovery Link Sent", "Please check your mail inbox");
  await page.waitForURL(`${product.url}/login`);
  await page.goto(await readLink(product, email, "Set a new Watchglass password"));
  const newPassword = page.getByLabel(/new password/i);
  await newPassword.fill("tooshort");
  await page.getByRole("button", { name: "Update" }).click();
  await expectBox(
    page,
    "Invalid Password",
    "Password must be 8-20 characters and include at least one number and one symbol.",
  );
  await newPassword.fill("secondpass2@");
  await page.getByRole("button", { name: "Update" }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await page.waitForURL(`${product.url}/login`);

  await page.goto(`${product.url}/dashboard`);
  await page.waitForURL(`${product.url}/login`);
  await signIn(page, product, email, "secondpass2@");
  await page.waitForURL(/\/dashboard/);
  await page
    .getByRole("button", { name: "Exit" })
    .or(page.getByRole("link", { name: "Exit" }))
    .click();
  await page.waitForURL(`${product.url}/`);
  expect(await page.context().cookies()).toEqual([]);
  await page.goto(`${product.url}/dashboard`);
  await page.waitForURL(`${product.url}/login`);
});

test("an invalid activation link shows that it is no longer valid", async ({ page, product }) => {
  await page.goto(`${product.url}/account/activate/not-a-token`);
  await expectBox(page, "Activation Failed", "This activation link is no longer valid.");
  await page.waitForURL(`${product.url}/login`);
});
