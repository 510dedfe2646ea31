import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type { Product } from "../product.ts";
import { isLong } from "../size.ts";

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

/** An account's email address, different in each worker: the product is shared, and a failure starts a new worker. */
export const mailOf = (name: string): string => `${name}.${process.env.TEST_WORKER_INDEX}@example.com`;

/** Signs up and activates an account by the API and the local mailbox, without the screens. */
export async function makeAccount(product: Product, email: string): Promise<void> {
  const person = { firstname: "Ana", surname: "Martins", email, password };
  await send(`${product.url}/api/auth/register`, "POST", person);
  const link = await readLink(product, email, activationSubject);
  await send(`${product.url}/api/registration/activate/${link.split("/").at(-1)}`);
}

export const activationSubject = "Activate your Watchglass account";

/** Waits for a mail in the product's own mailbox; returns the text of the newest to this address with this subject. */
export async function readMail(product: Product, to: string, subject: string): Promise<string> {
  const end = performance.now() + 120_000;
  while (performance.now() < end) {
    const { mails } = (await send(`${product.url}/api/mailbox`)) as {
      mails: { id: string; to: string; subject: string }[];
    };
    const found = mails.find((mail) => mail.to.includes(to) && mail.subject === subject);
    if (found) {
      const path = `/api/mailbox/${encodeURIComponent(found.id)}`;
      const { text } = (await send(product.url + path)) as { text: string };
      return text;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`no mail "${subject}" came to ${to}`);
}

/** The link to the one action that a mail asks its reader for. */
export async function readLink(product: Product, to: string, subject: string): Promise<string> {
  const text = await readMail(product, to, subject);
  const link = /^https?:\/\/\S+$/m.exec(text)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}

/** Signs in without the screen, which accounts.spec.ts tests. */
export async function logIn(page: Page, product: Product, email: string): Promise<void> {
  await page.context().request.post(`${product.url}/api/auth/login`, { data: { email, password } });
}

/** Signs in and opens the dashboard or another of its views. */
export async function signIn(page: Page, product: Product, email: string, view = ""): Promise<void> {
  await logIn(page, product, email);
  await page.goto(`${product.url}/dashboard${view}`);
}

/** Opens a URL within the loaded application, as a link does: a new page load takes several times as long. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent("popstate"));`,
  );
}

/** Expects nothing to be wider than the screen. */
export async function expectFits(page: Page): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => true)");
  const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect(overflow, "wider than the screen").toBeLessThanOrEqual(0);
}

// The minified file: its full source has more than twice the size, all of which each page would be sent and read.
const axeCore = createRequire(import.meta.resolve("@axe-core/playwright"));
const axe = readFileSync(axeCore.resolve("axe-core/axe.min.js"), "utf8");
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Expects axe to find nothing wrong at WCAG 2.2 AA, and nothing to be wider than the screen. axe stays in the page for
 * the next call: AxeBuilder would send and compile it again. It skips frames; ours are sandboxed and run no script.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectFits(page);
  // While colors still change, as after a theme is chosen, contrast can't be measured.
  await page.evaluate(`new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations()
    .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished))).then(() => true)`);
  if (await page.evaluate("!globalThis.axe")) await page.evaluate(`${axe}; undefined`);
  const options = { resultTypes: ["violations"], runOnly: axeTags, iframes: false };
  const violations = await page.evaluate<string[]>(`axe
    .run({ exclude: [["iframe[sandbox]"]] }, ${JSON.stringify(options)})
    .then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html).join(" | ")))`);
  expect(violations).toEqual([]);
}

const variants = [
  { width: 1280, colorScheme: "light" },
  { width: 375, colorScheme: "dark" },
] as const;

const isPictured = Boolean(process.env.WAYS_PICTURES);

/** `expectAccessible` on a wide light and a narrow dark screen. The short run takes only the narrow one, with less room. */
export async function expectAccessibleInVariants(
  page: Page,
  show?: (look: string) => Promise<unknown>,
): Promise<void> {
  for (const { width, colorScheme } of variants.slice(isLong || isPictured ? 0 : 1)) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await show?.(`${width}-${colorScheme}`);
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** Takes screenshots for each kind of device in both themes, if WIDTH_PICTURES names a folder. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.WIDTH_PICTURES;
  if (!folder) return;
  for (const width of [1280, 640, 375])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const path = join(folder, `${name}-${width}-${colorScheme}.png`);
      // Colors that still change from one theme to the other are unreadable.
      await page.screenshot({ path, animations: "disabled" });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
}
