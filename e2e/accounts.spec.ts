import { expect, type Page, test } from "@playwright/test";
import { linkIn, startMailServer } from "./mail-server.ts";
import { type Product, removeDataDir, startProduct } from "./product.ts";

let product: Product;
let mails: Awaited<ReturnType<typeof startMailServer>>;

test.beforeAll(async () => {
  mails = await startMailServer();
  product = await startProduct({ SMTP_URL: mails.url });
});
test.afterAll(async () => {
  await product.stop();
  await mails.close();
  await removeDataDir(product.dataDir);
});

/** Reads a message box and closes it. */
async function expectBox(page: Page, title: string, text: string): Promise<void> {
  const box = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(box.getByRole("heading", { name: title })).toBeVisible();
  await expect(box.getByText(text)).toBeVisible();
  await box.getByRole("button", { name: "Close" }).click();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: /sign ?in|login/i }).click();
}

test("sign up, activate, log in, recover, reset, log out", async ({ page }) => {
  const email = "grace@example.com";
  await page.goto(`${product.url}/`);
  await page.getByRole("link", { name: "Start for free" }).first().click();
  await page.getByLabel("First Name").fill("Grace");
  await page.getByLabel("Second Name").fill("Hopper");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("firstpass1!");
  await page.getByRole("button", { name: "Continue" }).dblclick();
  await page.waitForURL(`${product.url}/register/finished/${encodeURIComponent(email)}`);
  await expect(page.getByText(email)).toBeVisible();

  await signIn(page, email, "firstpass1!");
  await expectBox(page, "Login Failed", "Your account is not activated yet.");

  await page.goto(linkIn(await mails.read(email, "Activate your Watchglass account")));
  await expectBox(page, "Account Activated", "Your account has been successfully activated.");
  await page.waitForURL(`${product.url}/login`);

  await signIn(page, email, "wrongpass1!");
  await expectBox(page, "Login Failed", "The e-mail address or the password is wrong.");
  await signIn(page, email, "firstpass1!");
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
  await page.goto(linkIn(await mails.read(email, "Set a new Watchglass password")));
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
  await signIn(page, email, "secondpass2@");
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

test("a used activation link says so", async ({ page }) => {
  await page.goto(`${product.url}/account/activate/not-a-token`);
  await expectBox(page, "Activation Failed", "This activation link is not valid any more.");
  await page.waitForURL(`${product.url}/login`);
});
