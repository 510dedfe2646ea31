// The list of all jobs with 400 of them, its keys and saved views, and the search in a group that finds a match
// elsewhere.
import { expect, type Page } from "@playwright/test";
import { test } from "../fixtures.ts";
import type { Product } from "../product.ts";
import { startWatching, type Watching } from "../watching.ts";
import { expectAccessible, follow, mailOf, signIn } from "./visitor.ts";

const email = mailOf("all-jobs");
let product: Product;
let watching: Watching;
let page: Page;
let groups: { here: string; elsewhere: string };
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ browser, product: shared }) => {
  product = shared;
  watching = await startWatching(product, email);
  // The free plan has one group.
  const { token } = await watching.call<{ token: string }>("GET", "/api/payment/prepare/ultimate");
  await watching.call("POST", "/api/payment/sandbox/complete", { token });
  const shop = await watching.watch({ group: "Shops", name: "alpha" });
  const endpoint = await watching.watch({ group: "Endpoints", name: "beta" });
  groups = { here: shop.groupId, elsewhere: endpoint.groupId };
  page = await watching.open(browser);
});
test.afterAll(() => watching.stop());

const list = () => page.getByRole("list", { name: "Jobs", exact: true });

test("a search inside a group says that another group has the match, and leads to it", async () => {
  await follow(page, `${product.url}/dashboard?view=jobs&group=${groups.here}`);
  await page.getByLabel("Search jobs", { exact: true }).fill("beta");
  await expect(page.getByText("No job in this group has “beta” in its name or URL.")).toBeVisible();
  await expect(page.getByText("1 match in other groups")).toBeVisible();
  await page.getByRole("link", { name: "beta in Endpoints" }).click();
  await expect(page).toHaveURL(new RegExp(`group=${groups.elsewhere}`));
  await expect(page.getByRole("heading", { level: 2, name: "beta" })).toBeVisible();
});

test("a saved view is in the account: another browser has it, with what that browser kept itself", async ({
  browser,
}) => {
  await follow(page, `${product.url}/dashboard?view=all-jobs&q=beta&sort=name`);
  await expect(page.getByRole("status").getByText("1 of 2 jobs")).toBeVisible();
  await page.getByRole("button", { name: "Save view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save view" });
  await dialog.getByLabel("Name").fill("Only beta");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel("Saved views")).toHaveValue("Only beta");

  const other = await (await browser.newContext()).newPage();
  const { id } = await watching.call<{ id: string }>("GET", "/api/me");
  const held = [
    { name: "Failing", query: "failing=1" },
    { name: "Only beta", query: "q=old" },
  ];
  await other.addInitScript(
    `if (location.pathname !== "/") localStorage.setItem("watchglass-views-${id}", ${JSON.stringify(JSON.stringify(held))})`,
  );
  await signIn(other, product, email, "?view=all-jobs");
  const views = other.getByLabel("Saved views");
  await expect(views.getByRole("option")).toHaveText(["Saved views", "Failing", "Only beta"]);
  await views.selectOption("Only beta");
  await expect(other).toHaveURL(/q=beta/);
  expect(await other.evaluate(`localStorage.getItem("watchglass-views-${id}")`)).toBeNull();
  await other.context().close();

  await page.getByRole("button", { name: "Delete the view Only beta" }).click();
  await expect(page.getByRole("button", { name: "Save view" })).toBeVisible();
  const { views: left } = await watching.call<{ views: { name: string }[] }>("GET", "/api/me/views");
  expect(left.map(({ name }) => name)).toEqual(["Failing"]);
});

test("of 400 jobs only the visible rows are rendered; keys search, move and open", async () => {
  const { jobs } = await watching.call<{ jobs: { id: string }[] }>("GET", "/api/jobs?lastChange=true");
  const [line] = jobs;
  await page.route("**/api/jobs?lastChange=true", (route) =>
    route.fulfill({
      json: {
        nextCursor: null,
        jobs: Array.from({ length: 400 }, (_, i) => ({
          ...line,
          id: line?.id.replace(/.{3}$/, String(i).padStart(3, "0")),
          name: `Job ${i} about ${i % 40 === 7 ? "lamps" : "chairs"}`,
          tags: [`team ${i % 7}`],
        })),
      },
    }),
  );
  await page.goto(`${product.url}/dashboard?view=all-jobs&sort=name`);
  await expect(page.getByRole("status").getByText("400 jobs")).toBeVisible();
  await expect(list().getByRole("link").first()).toContainText("Job 0");
  expect(await list().getByRole("listitem").count()).toBeLessThan(40);
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search all jobs")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await expect(list().locator(":focus")).toContainText("Job 399");
  await expect(list().locator(":focus")).toBeInViewport();
  expect(await list().getByRole("listitem").count()).toBeLessThan(40);
  await page.keyboard.press("ArrowUp");
  await expect(list().locator(":focus")).toContainText("Job 398");
  await page.keyboard.press("/");
  await page.keyboard.type("lamps job");
  await expect(page.getByRole("status").getByText("10 of 400 jobs")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/job=[0-9a-f-]+007(&|$)/);
  await page.unrouteAll();
});
