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
  const token = await activationToken(product, email);
  await send(`${product.url}/api/registration/activate/${token}`);
}

/** The token of the activation mail, as soon as it is in the mailbox. */
export async function activationToken(product: Product, email: string): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { mails } = (await send(`${product.url}/api/mailbox`)) as { mails: { id: string; to: string }[] };
    const found = mails.find((mail) => mail.to.includes(email));
    if (found) {
      const { text } = (await send(`${product.url}/api/mailbox/${encodeURIComponent(found.id)}`)) as {
        text: string;
      };
      const token = /\/account\/activate\/(\S+)/.exec(text)?.[1];
      if (token) return token;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no activation mail came to ${email}`);
}

/** Signs in without the screen, which accounts.spec.ts tries, and opens the dashboard. */
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

/** Nothing for axe to complain about at WCAG 2.2 AA, and nothing wider than the screen. */
export async function expectSound(page: Page): Promise<void> {
  await expectFits(page);
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    // Twice as quick; the other mode only adds frames of other origins, and we have none.
    .setLegacyMode()
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    // A sealed frame lets nobody in, axe included.
    .exclude("iframe[sandbox]")
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)).toEqual(
    [],
  );
}

/** A picture of the screen on each kind of device in both themes, for whoever wants to see it. */
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
