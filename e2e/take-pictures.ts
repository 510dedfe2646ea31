// Takes the pictures that the README shows, of the built product at work: `npm run pictures`. It watches the demo's
// site and some more pages, which change when the script says so.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Browser, chromium, expect, type Page } from "@playwright/test";
import config from "../playwright.config.ts";
import { demoPages, demoStyle } from "../src/server/demo/pages.ts";
import { removeDataDir, startProduct } from "./product.ts";
import { makeAccount, password, signIn } from "./web/visitor.ts";

const folder = join(import.meta.dirname, "../docs/pictures");
const email = "ana.martins@example.com";
const rounds = 6;

const hosts = ["www", "shop", "api", "pay", "*.staging", "partner"];
const tentPrices = ["389.00", "389.00", "349.00", "349.00", "319.00", "329.00"];
const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title} · Halden Outdoor</title><link rel="stylesheet" href="/site.css">
<body><header><strong>Halden Outdoor</strong></header><main><h1>${title}</h1>${body}</main></body></html>`;

type Content = { type: string; body: string; status?: number };
/** What the site shows after a number of changes, by path. */
const pages: Record<string, (version: number) => Content> = {
  ...Object.fromEntries(
    demoPages.map(({ path, render }) => [
      path,
      (version: number) => ({ type: "text/html", body: render(version) }),
    ]),
  ),
  "/tent": (version) => ({
    type: "text/html",
    body: html(
      "Trail tent 2P",
      `<p>Two persons, 1.4 kg.</p><p class="price">${tentPrices[version]} €</p>
<p class="${version > 2 ? "bad" : "good"}">${version > 2 ? "Only 3 left" : "In stock"}</p>`,
    ),
  }),
  "/scope": (version) => ({
    type: "text/html",
    body: html(
      "Bug bounty scope",
      `<ul>${hosts
        .slice(0, 2 + version)
        .map((host) => `<li>${host}.halden.example</li>`)
        .join("")}</ul>`,
    ),
  }),
  "/.well-known/security.txt": (version) => ({
    type: "text/plain",
    body: `Contact: mailto:security@halden.example\nExpires: 2027-0${Math.min(9, 1 + version)}-01T00:00:00.000Z\n`,
  }),
  "/api/partners": (version) =>
    version > 3
      ? { type: "text/plain", body: "Service Unavailable", status: 503 }
      : { type: "application/json", body: '{"partners":["Nordtind","Fjordfolk"]}' },
  "/site.css": () => ({ type: "text/css", body: demoStyle }),
};

async function startSite(versionOf: () => number): Promise<{ url: string; server: Server }> {
  const server = createServer(({ url = "/" }, response) => {
    const content = pages[new URL(url, "http://site").pathname]?.(versionOf());
    response.writeHead(content ? (content.status ?? 200) : 404, {
      "content-type": content?.type ?? "text/plain",
    });
    response.end(content?.body ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const groups = {
  "Halden Outdoor": [
    { name: "Shop front", path: "/" },
    {
      name: "Trail tent 2P",
      path: "/tent",
      values: [{ name: "price", by: "selector", rule: ".price" }],
      alertIf: {
        match: "any",
        conditions: [
          { what: "number", is: "below", name: "price", amount: 330, percent: false },
          { what: "text", is: "added", text: "Sold out" },
        ],
      },
      tags: ["prices"],
    },
    { name: "Sign-in form", path: "/login" },
  ],
  "Bug bounty": [
    { name: "Halden bug bounty scope", path: "/scope", tags: ["scopes"] },
    { name: "security.txt", path: "/.well-known/security.txt" },
    { name: "Partner API", path: "/api/partners" },
  ],
  Vendors: [
    { name: "Status page", path: "/status" },
    { name: "Release notes", path: "/releases" },
  ],
};

type Job = { id: string; groupId: string; name: string };

/** Creates the jobs and checks them once for each version of the site. */
async function watchSite(url: string): Promise<Map<string, Job>> {
  let version = 0;
  const site = await startSite(() => version);
  const jobs = new Map<string, Job>();
  for (const [name, list] of Object.entries(groups)) {
    const { id: groupId } = await call<{ id: string }>(url, "POST", "/api/jobs/groups", { name });
    for (const { path, ...job } of list) {
      const body = { ...job, url: site.url + path, frequency: 60, groupId };
      const created = await call<{ job: { id: string } }>(url, "POST", "/api/jobs/create", body);
      jobs.set(job.name, { id: created.job.id, groupId, name: job.name });
    }
  }
  for (; version < rounds; version++) {
    if (version > 0) for (const { id } of jobs.values()) await call(url, "POST", `/api/jobs/${id}/run`);
    for (const { id } of jobs.values())
      await expect
        .poll(
          async () =>
            (await call<{ executionsTotal: number }>(url, "GET", `/api/jobs/${id}`)).executionsTotal,
          {
            timeout: 180_000,
          },
        )
        .toBe(version + 1);
  }
  site.server.close();
  return jobs;
}

let token = "";
async function call<T = unknown>(url: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const isWhole = `!document.querySelector(".animate-late") && [...document.images].every((image) => {
  const { top, bottom } = image.getBoundingClientRect();
  return bottom < 0 || top > innerHeight || (image.complete && image.naturalWidth > 0);
})`;

type Look = { width?: number; height?: number; colorScheme?: "light" | "dark" };

async function picture(
  page: Page,
  name: string,
  { width = 1280, height = 800, colorScheme = "light" }: Look = {},
) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.evaluate("document.fonts.ready.then(() => true)");
  await expect.poll(() => page.evaluate(isWhole), { timeout: 60_000 }).toBe(true);
  await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
}

const openPage = async (browser: Browser) =>
  (await browser.newContext({ locale: "en-GB", timezoneId: "UTC" })).newPage();

async function takeFirstPictures(browser: Browser, url: string): Promise<void> {
  const product = { url, dataDir: "" };
  const page = await openPage(browser);
  await page.goto(url);
  await picture(page, "landing");
  await makeAccount(product, "first@example.com");
  await signIn(page, product, "first@example.com");
  const first = await startSite(() => 2);
  await page.getByLabel("Page to watch").fill(`${first.url}/`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("img", { name: /^How 127.0.0.1/ })).toBeVisible({ timeout: 90_000 });
  await picture(page, "dashboard-first");
  first.server.close();
}

async function takePictures(browser: Browser, url: string): Promise<void> {
  const product = { url, dataDir: "" };
  const page = await openPage(browser);
  page.setDefaultTimeout(120_000);
  await makeAccount(product, email);
  ({ token } = await call<{ token: string }>(url, "POST", "/api/auth/login", { email, password }));
  const { token: payment } = await call<{ token: string }>(url, "GET", "/api/payment/prepare/ultimate");
  await call(url, "POST", "/api/payment/sandbox/complete", { token: payment });
  const jobs = await watchSite(url);
  const newest = async (
    name: string,
    isWanted: (execution: { summary: string; changed: boolean }) => boolean,
  ) => {
    const { id } = jobs.get(name) as Job;
    const { executions } = await call<{ executions: { id: string; summary: string; changed: boolean }[] }>(
      url,
      "GET",
      `/api/jobs/${id}/executions`,
    );
    return `${jobAt(name)}&execution=${executions.find(isWanted)?.id}`;
  };
  const jobAt = (name: string) => {
    const { id, groupId } = jobs.get(name) as Job;
    return `${url}/dashboard?view=jobs&group=${groupId}&job=${id}`;
  };

  await signIn(page, product, email);
  await page.locator("[data-series]").first().waitFor();
  await page.getByRole("region", { name: "Needs your attention" }).getByRole("listitem").first().waitFor();
  await picture(page, "dashboard");
  await page.goto(`${url}/dashboard?view=profile&part=channels`);
  await page.getByText("More channels").waitFor();
  await picture(page, "profile");
  const executions = page.getByRole("list", { name: "Executions" }).getByRole("listitem");
  await page.goto(jobAt("Sign-in form"));
  await executions.first().waitFor();
  await picture(page, "jobs");
  await page.goto(`${jobAt("Trail tent 2P")}&tab=numbers`);
  await page.getByRole("region", { name: "price" }).locator("svg path").first().waitFor();
  await picture(page, "numbers");
  await page.goto(`${jobAt("Trail tent 2P")}&dialog=settings`);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Alert only if/ })
    .click();
  await picture(page, "conditions");
  await page.setViewportSize({ width: 375, height: 760 });
  await page.goto(jobAt("Halden bug bounty scope"));
  await executions.first().waitFor();
  await picture(page, "job", { width: 375, height: 760 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(await newest("Shop front", ({ changed }) => changed));
  await page.getByText(/^1 of \d+ regions?$/).waitFor();
  await picture(page, "viewer");
  await page.setViewportSize({ width: 600, height: 800 });
  await page.goto(`${await newest("Sign-in form", ({ changed }) => changed)}&show=html&filter=1`);
  await page.getByText(/^1 of \d+ changes?$/).waitFor();
  await picture(page, "viewer-html", { width: 600, colorScheme: "dark" });
}

const product = await startProduct({ EGRESS_ALLOW: "127.0.0.0/8" });
const browser = await chromium.launch(config.use?.launchOptions);
try {
  await takeFirstPictures(browser, product.url);
  await takePictures(browser, product.url);
} finally {
  await browser.close();
  await product.stop();
  await removeDataDir(product.dataDir);
}
