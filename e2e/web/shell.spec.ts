import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { test } from "../fixtures.ts";
import {
  activationSubject,
  expectAccessible,
  expectFits,
  follow,
  mailOf,
  makeAccount,
  password,
  readLink,
  signIn,
} from "./visitor.ts";

const email = mailOf("shell");
// The tests of one account share its page, because loading the application takes longer than most of them.
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ product, browser }) => {
  await makeAccount(product, email);
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
});
test.afterAll(() => page.context().close());

test("without a session the shell redirects to /login, and signing in returns to the requested view", async ({
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

test("the URL contains the view: reload, back and forward keep it, an unknown view is the dashboard", async ({
  product,
}) => {
  await follow(page, `${product.url}/dashboard`);
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

test("at 640 px, as at 200 % zoom, and below the menu is hidden behind a toggle; one tab stop leads past it", async () => {
  await page.setViewportSize({ width: 640, height: 800 });
  const profile = page.getByRole("link", { name: "Profile" });
  const toggle = page.getByRole("button", { name: "Menu" });
  await expect(profile).toBeHidden();
  await toggle.focus();
  await page.keyboard.press("Enter");
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(page);
  await profile.click();
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  await expect(profile).toBeHidden();
  await page.setViewportSize({ width: 641, height: 800 });
  await expect(profile).toBeVisible();
  await expect(toggle).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });
  const skip = page.getByRole("link", { name: "Skip to content" });
  await skip.focus();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("a dialog takes the focus, keeps it while open and returns it when closed", async () => {
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

test("names may have any script and length, and an empty field keeps the current name", async () => {
  const long = "Wolfeschlegelsteinhausenbergerdorff".repeat(2);
  await page.getByLabel("First Name").fill(long);
  await page.getByLabel("Surname").fill("مارتينز");
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByText("Your profile is updated.")).toBeVisible();
  await expect(page.getByRole("banner").getByText(`${long} مارتينز`)).toBeVisible();
  await expectFits(page);
  await page.getByLabel("First Name").fill("");
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await expect(page.getByLabel("First Name")).toHaveValue(long);
});

test("without a bot the Telegram switch is off and says why; the email switch keeps its state", async () => {
  await page.getByRole("tab", { name: "Channels" }).click();
  const telegram = page.getByRole("switch", { name: "Telegram notifications" });
  await expect(telegram).toBeDisabled();
  await expect(telegram).not.toBeChecked();
  await expect(page.getByText("This installation has no Telegram bot")).toBeVisible();
  const mail = page.getByRole("switch", { name: "Email notifications" });
  await expect(mail).toBeChecked();
  const saved = page.waitForResponse("**/api/settings/notifications");
  await mail.click();
  expect((await saved).status()).toBe(200);
  await page.reload();
  await expect(mail).not.toBeChecked();
  await page.getByRole("tab", { name: "Account" }).click();
});

test("a photo is cropped by keyboard, uploaded as a square and shown", async ({ product }) => {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  await page
    .getByLabel("Photo file")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: picture });
  const dialog = page.getByRole("dialog", { name: "Update Photo" });
  // The picture is drawn before anything is moved: the middle of a teal picture is teal.
  const middle = () =>
    page.evaluate<number[]>(`(() => {
      const canvas = document.querySelector("[role=dialog] canvas");
      return canvas ? Array.from(canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data) : [];
    })()`);
  await expect.poll(middle).toEqual([0, 128, 128, 255]);
  await dialog.getByRole("button", { name: /arrow keys/ }).focus();
  await page.keyboard.press("ArrowRight");
  await dialog.getByLabel("Zoom").fill("2");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save photo" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("banner").locator("img")).toBeVisible();
  const answer = await page.request.get(`${product.url}/api/me/photo`);
  const { width, height } = await sharp(await answer.body()).metadata();
  expect(width).toBe(height);
});

test("a file that is not a picture is refused with a message", async () => {
  await page
    .getByLabel("Photo file")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from("not a picture") });
  await expect(page.getByText("We can’t read this file as a picture.")).toBeVisible();
});

test("a proxy is added, tested, changed and deleted in the profile", async ({ product }) => {
  const sites: Server[] = [];
  const serve = async (server: Server) => {
    sites.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  };
  const asked: string[] = [];
  const proxy = createServer().on("connect", ({ url = "", headers }, client) => {
    client.on("error", () => {});
    asked.push(`${url} ${headers["proxy-authorization"]}`);
    const target = new URL(`http://${url}`);
    const site = connect(Number(target.port), target.hostname, () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      site.pipe(client).pipe(site);
    });
    site.on("error", () => client.destroy());
  });
  const port = await serve(proxy);
  const echo = await serve(createServer((_request, response) => response.end("198.51.100.7")));
  await follow(page, `${product.url}/dashboard?view=profile&part=proxies`);
  await expect(page.getByText("No proxies yet")).toBeVisible();
  await page.getByRole("button", { name: "New proxy" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Berlin");
  await dialog.getByLabel("Protocol").selectOption("http");
  await dialog.getByLabel("Proxy", { exact: true }).fill("10.0.0.1");
  await dialog.getByLabel("Port").fill(String(port));
  await dialog.getByLabel("Username").fill("ana");
  await dialog.getByLabel("Password").fill("s3cret");
  await dialog.getByLabel("Echo URL").fill(`http://127.0.0.1:${echo}/`);
  await dialog.getByRole("button", { name: "Add proxy" }).click();
  await expect(dialog.getByText("This address may not be requested")).toBeVisible();
  await dialog.getByLabel("Proxy", { exact: true }).fill("127.0.0.1");
  await dialog.getByRole("button", { name: "Add proxy" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`http://ana@127.0.0.1:${port}`)).toBeVisible();
  await page.getByRole("button", { name: "Test the proxy Berlin" }).click();
  await expect(page.getByText(/seen as 198\.51\.100\.7/)).toBeVisible();
  expect(asked).toEqual([`127.0.0.1:${echo} Basic ${Buffer.from("ana:s3cret").toString("base64")}`]);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Edit the proxy Berlin" }).click();
  await expect(dialog.getByLabel("Password")).toHaveValue("");
  await dialog.getByLabel("Name", { exact: true }).fill("Potsdam");
  await dialog.getByRole("button", { name: "Save proxy" }).click();
  await page.getByRole("button", { name: "Delete the proxy Potsdam" }).click();
  await expect(page.getByText("No proxies yet")).toBeVisible();
  for (const each of sites) each.close();
});

test("Exit ends the session on the server", async ({ product }) => {
  const [session] = await page.context().cookies();
  await page.getByRole("button", { name: "Exit" }).click();
  await page.waitForURL(`${product.url}/`);
  expect(await page.context().cookies()).toEqual([]);
  const answer = await fetch(`${product.url}/api/me`, {
    headers: { authorization: `Bearer ${session?.value}` },
  });
  expect(answer.status).toBe(401);
});

test("deleting an account requires its password and is permanent", async ({ product }) => {
  await signIn(page, product, email, "?view=profile");
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

test("reloading the activation page does not use the token twice", async ({ product }) => {
  const address = mailOf("reload");
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
  await expectAccessible(page);
  await page.reload();
  await expect(box).toBeVisible();
  await box.getByRole("button", { name: "Close" }).click();
  await page.waitForURL(`${product.url}/login`);
});

test("the mailbox shows a mail's text with its link, and its HTML in a sandboxed frame", async ({
  product,
}) => {
  await page.goto(`${product.url}/mailbox`);
  await page.getByRole("button", { name: new RegExp(`^Activate.*${email}`) }).click();
  // Until the mail has loaded, the panel shows the newest one.
  const link = page.getByRole("tabpanel").getByRole("link", { name: /\/account\/activate\// });
  await expect(link).toHaveAttribute("href", /\/account\/activate\//);
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  await page.keyboard.press("Tab");
  await page.getByRole("tab", { name: "HTML" }).click();
  await expect(page.locator("iframe")).toHaveAttribute("sandbox", "");
  await expectAccessible(page);
});
