import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import type { Product } from "../product.ts";

export const password = "correct1!";

async function send(url: string, method = "GET", body?: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: body ? { "content-type": "application/json" } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Signs up and activates by the local mailbox, without the screens. */
export async function makeAccount(product: Product, email: string): Promise<void> {
  const person = { firstname: "Ana", surname: "Martins", email, password };
  await send(`${product.url}/api/auth/register`, "POST", person);
  const link = await readLink(product, email, activationSubject);
  await send(`${product.url}/api/registration/activate/${link.split("/").at(-1)}`);
}

export const activationSubject = "Activate your Watchglass account";

/** The text of the newest mail to an address with a subject, as soon as the product's own mailbox has it. */
export async function readMail(product: Product, to: string, subject: string): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { mails } = (await send(`${product.url}/api/mailbox`)) as {
      mails: { id: string; to: string; subject: string }[];
    };
    const found = mails.find((mail) => mail.to.includes(to) && mail.subject === subject);
    if (found) {
      const path = `/api/mailbox/${encodeURIComponent(found.id)}`;
      const { text } = (await send(product.url + path)) as { text: string };
      return text;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no mail "${subject}" came to ${to}`);
}

/** The link of the one thing that a mail asks its reader to do. */
export async function readLink(product: Product, to: string, subject: string): Promise<string> {
  const text = await readMail(product, to, subject);
  const link = /^https?:\/\/\S+$/m.exec(text)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}

/** Signs in without the screen, which accounts.spec.ts tests, and opens the dashboard. */
export async function signIn(page: Page, product: Product, email: string): Promise<void> {
  await page.context().request.post(`${product.url}/api/auth/login`, { data: { email, password } });
  await page.goto(`${product.url}/dashboard`);
}

/** Nothing is wider than the screen. */
async function expectFits(page: Page): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => true)");
  const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect(overflow, "wider than the screen").toBeLessThanOrEqual(0);
}

/** axe finds nothing wrong at WCAG 2.2 AA, and nothing is wider than the screen. */
export async function expectSound(page: Page): Promise<void> {
  await expectFits(page);
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    // This is twice as quick; the other mode only adds frames of other origins, and we have none.
    .setLegacyMode()
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    // axe can't run inside a sandboxed frame.
    .exclude("iframe[sandbox]")
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)).toEqual(
    [],
  );
}

/** Takes a picture of the screen on each kind of device in both themes, on request. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.WIDTH_PICTURES;
  if (!folder) return;
  for (const width of [1280, 640, 375])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
}
