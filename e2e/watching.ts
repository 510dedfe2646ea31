import type { Browser, Page } from "@playwright/test";
import { type SignInSite, startSignInSite } from "#identities/testing/sign-in-site.ts";
import { type ChangingSite, startChangingSite } from "./changing-site.ts";
import type { Product } from "./product.ts";
import { mailOf, makeAccount, password, signIn } from "./web/visitor.ts";

type Execution = { id: string; index: number; changed: boolean; summary: string };

/** Starts a page that changes on command and creates an account to watch it; `call` calls the API as its owner. */
export async function startWatching(
  product: Product,
  email: string,
  start: Partial<ChangingSite["page"]> = {},
) {
  const site = await startChangingSite();
  Object.assign(site.page, start);
  await makeAccount(product, email);
  const { token } = await call<{ token: string }>("POST", "/api/auth/login", { email, password });
  let page: Page | undefined;

  async function call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(product.url + path, {
      method,
      headers: {
        // There is no token before the sign-in.
        ...(path === "/api/auth/login" ? {} : { authorization: `Bearer ${token}` }),
        ...(body ? { "content-type": "application/json" } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Waits until a job has that many executions; returns them, newest first. */
  async function executions(jobId: string, count: number): Promise<Execution[]> {
    const end = performance.now() + 120_000;
    while (performance.now() < end) {
      const path = `/api/jobs/${jobId}/executions`;
      const { executions: list } = await call<{ executions: Execution[] }>("GET", path);
      if (list.length >= count) return list;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error(`execution ${count} did not appear`);
  }

  return {
    product,
    site,
    call,
    executions,
    /** Creates a group and in it a job that watches the site, and waits for its first check. */
    async watch(input: { group: string; name: string; [setting: string]: unknown }) {
      const { group, ...settings } = input;
      const { id: groupId } = await call<{ id: string }>("POST", "/api/jobs/groups", { name: group });
      const job = { url: site.url, frequency: 60, groupId, ...settings };
      const { job: created } = await call<{ job: { id: string } }>("POST", "/api/jobs/create", job);
      await executions(created.id, 1);
      return { groupId, jobId: created.id };
    },
    /** Runs a check and waits until the job has that many executions; returns them. */
    async check(jobId: string, count: number): Promise<Execution[]> {
      await call("POST", `/api/jobs/${jobId}/run`);
      return executions(jobId, count);
    },
    /** Buys the plan that has identities. */
    async upgrade(): Promise<void> {
      const { token } = await call<{ token: string }>("GET", "/api/payment/prepare/professional");
      await call("POST", "/api/payment/sandbox/complete", { token });
    },
    /** Signs in on a new page; axe needs one that has its own context. */
    async open(browser: Browser): Promise<Page> {
      page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      await signIn(page, product, email);
      return page;
    },
    async stop(): Promise<void> {
      await page?.context().close();
      site.close();
    },
  };
}

export type Watching = Awaited<ReturnType<typeof startWatching>>;

/** Watches a page that is different for who is signed in, on a site that behaves as real ones do. */
export async function watchSignInSite(browser: Browser, product: Product, name: string) {
  const site: SignInSite = await startSignInSite();
  const watching = await startWatching(product, mailOf(name));
  const ids = await watching.watch({ group: "Shops", name: "Account", url: `${site.origin}/offers` });
  const page = await watching.open(browser);
  page.setDefaultTimeout(30_000);
  const stop = async () => {
    site.close();
    await watching.stop();
  };
  return { site, watching, ids, page, stop };
}

export type WatchedSignIn = Awaited<ReturnType<typeof watchSignInSite>>;
