// Five common tasks, counted in clicks; a choice in a list counts as two. "Before" was counted in the code before the
// screens were made anew (the commit before 3c219405), with the same start.
//
// | task                                   | starts at | before                                       | now |
// | -------------------------------------- | --------- | -------------------------------------------- | --- |
// | watch a price                          | the job   | 6, and a CSS selector written by hand        | 3   |
// | ignore a part                          | the job   | 6                                            | 3   |
// | alert on a condition                   | the job   | 13, and a CSS selector written by hand       | 4   |
// | find the change of a certain day       | dashboard | 3, and scrolling through all that came later | 4   |
// | hand it to a colleague                 | the change | 3                                           | 2   |
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { mailOf } from "./web/visitor.ts";

let watching: Watching;
let page: Page;
let ids = { groupId: "", jobId: "" };

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product }) => {
  watching = await startWatching(product, mailOf("tasks"), { banner: "Only 45.40 today" });
  ids = await watching.watch({ group: "Shops", name: "Lamp" });
  watching.site.page.rows.push("pay.acme.example");
  await watching.check(ids.jobId, 2);
  page = await watching.open(browser);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(`globalThis.clicks = 0;
    addEventListener("click", (event) => { if (event.detail > 0) clicks++; }, true);
    addEventListener("change", (event) => { if (event.target.matches("select")) clicks += 2; }, true);`);
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const picker = () => page.getByRole("dialog", { name: "Pick on the page" });

async function countClicks(task: () => Promise<void>): Promise<number> {
  await page.evaluate("clicks = 0");
  await task();
  return page.evaluate<number>("clicks");
}

async function pickPrice(): Promise<void> {
  await page.getByRole("button", { name: "Pick on the page" }).click();
  await picker()
    .getByRole("img", { name: "The page as it was captured" })
    .click({ position: { x: 60, y: 30 } });
  await expect(picker().getByText(".banner", { exact: true })).toBeVisible(patient);
}

const rulesOf = () =>
  watching.call<{ ignore: string[]; values: object[]; alertIf: object | null }>(
    "GET",
    `/api/jobs/${ids.jobId}`,
  );

test("a price is watched, a part ignored, an alert set: three and four clicks from the job", async () => {
  await page.getByRole("navigation").getByRole("link", { name: "All jobs" }).click();
  await page.getByRole("list", { name: "Jobs" }).getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 2, name: "Lamp" })).toBeVisible();
  const watch = await countClicks(async () => {
    await pickPrice();
    await picker()
      .getByRole("button", { name: /^Follow this number/ })
      .click();
    await expect(picker()).toBeHidden();
  });
  expect([watch, (await rulesOf()).values]).toMatchObject([3, [{ by: "selector", rule: ".banner" }]]);
  const ignore = await countClicks(async () => {
    await pickPrice();
    await picker().getByRole("button", { name: "Ignore this" }).click();
    await expect(picker()).toBeHidden();
  });
  expect([ignore, (await rulesOf()).ignore]).toEqual([3, [".banner"]]);
  // The number, too, may still have its Undo.
  const ignored = page.locator("span", { hasText: /^From the next check on, this part is ignored\./ });
  await ignored.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  expect((await rulesOf()).ignore).toEqual([]);
  const alert = await countClicks(async () => {
    await pickPrice();
    await picker().getByRole("button", { name: "Alert when this…" }).click();
    await page.keyboard.type("40");
    await picker().getByRole("button", { name: "Save" }).click();
    await expect(picker()).toBeHidden();
  });
  expect(alert).toBe(4);
  expect((await rulesOf()).alertIf).toMatchObject({ conditions: [{ is: "below", amount: 40 }] });
});

test("the change of a day is found in four clicks, and handed on in two", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const all = page.getByRole("dialog", { name: "All notifications" });
  const find = await countClicks(async () => {
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByRole("button", { name: "See all" }).click();
    await all.getByLabel("Up to").click();
    await all.getByLabel("Up to").fill("2020-01-01");
    await expect(all.getByText("No notifications up to this day")).toBeVisible();
    await all.getByLabel("Up to").fill(today);
    await all.getByRole("listitem").getByRole("link").first().click();
    await expect(page.getByText(/^1 of \d+ regions?$/)).toBeVisible(patient);
  });
  expect(find).toBe(4);
  const hand = await countClicks(async () => {
    await page.getByRole("button", { name: "Share Result" }).click();
    await page
      .getByRole("dialog", { name: "Share Result" })
      .getByRole("button", { name: "Create link" })
      .click();
    await expect(page.getByText("Copied.")).toBeVisible();
  });
  expect(hand).toBe(2);
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toMatch(/\/share\/[\w-]{20,}$/);
});
