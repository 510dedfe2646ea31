import { expect } from "@playwright/test";
import sharp from "sharp";
import { test } from "../fixtures.ts";
import { activationSubject, expectSound, makeAccount, password, readLink, signIn } from "./visitor.ts";

// Of every test that leaves the account as it was.
const email = "shell@example.com";
test.beforeAll(({ product }) => makeAccount(product, email));

test("without a session the shell leads to /login, and after it back to the wanted view", async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/dashboard?view=profile`);
  await page.waitForURL(`${product.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${product.url}/dashboard?view=profile`);
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
});

test("the view is in the address: reload, back, forward and nonsense", async ({ page, product }) => {
  await signIn(page, product, email);
  const heading = (name: string) => expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await heading("Dashboard");
  await page.getByRole("navigation").getByRole("link", { name: "Profile" }).click();
  await heading("Profile");
  expect(page.url()).toBe(`${product.url}/dashboard?view=profile`);
  await expect(page).toHaveTitle("Profile · Watchglass");
  await expect(page.getByRole("main")).toBeFocused();
  await page.reload();
  await heading("Profile");
  await page.goBack();
  await heading("Dashboard");
  await page.goForward();
  await heading("Profile");
  await page.goto(`${product.url}/dashboard?view=nonsense`);
  await heading("Dashboard");
});

test("Exit ends the session on the server", async ({ page, product }) => {
  await signIn(page, product, email);
  const [session] = await page.context().cookies();
  await page.getByRole("button", { name: "Exit" }).click();
  await page.waitForURL(`${product.url}/`);
  expect(await page.context().cookies()).toEqual([]);
  const answer = await fetch(`${product.url}/api/me`, {
    headers: { authorization: `Bearer ${session?.value}` },
  });
  expect(answer.status).toBe(401);
});

test("under 640 px the menu folds behind a toggle", async ({ page, product }) => {
  await page.setViewportSize({ width: 639, height: 800 });
  await signIn(page, product, email);
  const profile = page.getByRole("link", { name: "Profile" });
  const toggle = page.getByRole("button", { name: "Menu" });
  await expect(profile).toBeHidden();
  await toggle.focus();
  await page.keyboard.press("Enter");
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await expectSound(page);
  await profile.click();
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  await expect(profile).toBeHidden();
  await page.setViewportSize({ width: 640, height: 800 });
  await expect(profile).toBeVisible();
  await expect(toggle).toBeHidden();
});

test("a dialog takes the focus, keeps it and gives it back", async ({ page, product }) => {
  await signIn(page, product, email);
  await page.goto(`${product.url}/dashboard?view=profile`);
  const opener = page.getByRole("button", { name: "Delete Account" });
  await opener.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete Account" });
  await expect(dialog).toBeVisible();
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press("Tab");
    await expect(dialog.locator(":focus")).toHaveCount(1);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test("names: any script, any length, empty keeps the current", async ({ page, product }) => {
  await makeAccount(product, "names@example.com");
  await signIn(page, product, "names@example.com");
  await page.goto(`${product.url}/dashboard?view=profile`);
  const long = "Wolfeschlegelsteinhausenbergerdorff".repeat(2);
  await page.getByLabel("First Name").fill(long);
  await page.getByLabel("Surname").fill("مارتينز");
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByText("Your profile is updated.")).toBeVisible();
  await expect(page.getByRole("banner").getByText(`${long} مارتينز`)).toBeVisible();
  await expectSound(page);
  await page.getByLabel("First Name").fill("");
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByLabel("First Name")).toHaveValue(long);
});

test("the two switches are independent and stay as they were set", async ({ page, product }) => {
  await signIn(page, product, email);
  await page.goto(`${product.url}/dashboard?view=profile`);
  const telegram = page.getByRole("switch", { name: "Telegram notifications" });
  const mail = page.getByRole("switch", { name: "E-mail notifications" });
  const before = [await telegram.isChecked(), await mail.isChecked()];
  const saved = page.waitForResponse("**/api/settings/notifications");
  await telegram.click();
  expect((await saved).status()).toBe(200);
  await page.reload();
  await expect(telegram).toBeChecked({ checked: !before[0] });
  await expect(mail).toBeChecked({ checked: before[1] });
});

test("a photo is cropped by keyboard, sent as a square and shown", async ({ page, product }) => {
  await makeAccount(product, "photo@example.com");
  await signIn(page, product, "photo@example.com");
  await page.goto(`${product.url}/dashboard?view=profile`);
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  await page
    .getByLabel("Photo file")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: picture });
  const dialog = page.getByRole("dialog", { name: "Update Photo" });
  // Drawn at once, before anything is moved: the middle of a teal picture is teal.
  const middle = () =>
    page.evaluate<number[]>(`(() => {
      const canvas = document.querySelector("[role=dialog] canvas");
      return canvas ? Array.from(canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data) : [];
    })()`);
  await expect.poll(middle).toEqual([0, 128, 128, 255]);
  await dialog.getByRole("button", { name: /arrow keys/ }).focus();
  await page.keyboard.press("ArrowRight");
  await dialog.getByLabel("Zoom").fill("2");
  await expectSound(page);
  await dialog.getByRole("button", { name: "Save photo" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("banner").locator("img")).toBeVisible();
  const answer = await page.request.get(`${product.url}/api/me/photo`);
  const { width, height } = await sharp(await answer.body()).metadata();
  expect(width).toBe(height);
});

test("a file that is no picture is refused in words", async ({ page, product }) => {
  await signIn(page, product, email);
  await page.goto(`${product.url}/dashboard?view=profile`);
  await page
    .getByLabel("Photo file")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from("not a picture") });
  await expect(page.getByText("This file is not a picture we can read.")).toBeVisible();
});

test("an account is deleted only with its password, and then for good", async ({ page, product }) => {
  await makeAccount(product, "gone@example.com");
  await signIn(page, product, "gone@example.com");
  await page.goto(`${product.url}/dashboard?view=profile`);
  await page.getByRole("button", { name: "Delete Account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Account" });
  await dialog.getByLabel("Password").fill("wrong1!!");
  await dialog.getByRole("button", { name: "Delete everything" }).click();
  await expect(dialog.getByText("The password is wrong.")).toBeVisible();
  await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button", { name: "Delete everything" }).click();
  await page.waitForURL(`${product.url}/`);
  await page.goto(`${product.url}/dashboard`);
  await page.waitForURL(`${product.url}/login`);
});

test("reloading the activation page does not spend the token twice", async ({ page, product }) => {
  const address = "reload@example.com";
  await page.goto(`${product.url}/register`);
  await page.getByLabel("First Name").fill("Ana");
  await page.getByLabel("Second Name").fill("Martins");
  await page.getByLabel("Email").fill(address);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${product.url}/register/finished/${encodeURIComponent(address)}`);
  await page.reload();
  await expect(page.getByText(address)).toBeVisible();
  await page.goto(await readLink(product, address, activationSubject));
  const box = page.getByRole("alertdialog", { name: "Account Activated" });
  await expect(box).toBeVisible();
  await page.reload();
  await expect(box).toBeVisible();
  await box.getByRole("button", { name: "Close" }).click();
  await page.waitForURL(`${product.url}/login`);
});

test("the mailbox shows a mail's text with its link, and its HTML sealed", async ({ page, product }) => {
  await page.goto(`${product.url}/mailbox`);
  await page.getByRole("button", { name: new RegExp(email) }).click();
  const link = page.getByRole("tabpanel").getByRole("link");
  await expect(link).toHaveAttribute("href", /\/account\/activate\//);
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await page.keyboard.press("Tab");
  await page.getByRole("tab", { name: "HTML" }).click();
  await expect(page.locator("iframe")).toHaveAttribute("sandbox", "");
  await expectSound(page);
});
