// Conditions and several jobs at once, through the screens, against the running product. src/server/settings.db.test.ts
// tests what each setting does to a check; conditions.long.spec.ts has more of the screens.
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, expectAccessibleInVariants, mailOf } from "./web/visitor.ts";

let watching: Watching;
let site: Watching["site"];
let page: Page;

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, mailOf("when"), { extra: price("59.00") });
  ({ site } = watching);
  page = await watching.open(browser);
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const price = (amount: string) => `<p>Only today: <b id="price">${amount} €</b></p>`;
const dialog = (name: string) => page.getByRole("dialog", { name });
const executions = () => page.getByRole("list", { name: "Executions" });

async function runNow(count: number): Promise<void> {
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(executions().getByRole("listitem")).toHaveCount(count, patient);
}

/** Before the job is saved, the form says what its number reads and where, or that it isn't found. */
async function seeWhatItReads(form: Locator): Promise<void> {
  await form.getByRole("button", { name: "See what it reads" }).click();
  await expect(form.getByText("Reads 59 from “59.00 €”")).toBeVisible(patient);
  await expect(form.getByRole("button", { name: "Read again" })).toBeFocused();
  await form.getByRole("button", { name: "Show on the page" }).click();
  const place = form.getByRole("img", { name: "Where price is on the page" });
  await expect(place).toBeVisible();
  const visitor = await page.context().newPage();
  await visitor.setViewportSize({ width: 1280, height: 800 });
  await visitor.goto(site.url);
  const box = await visitor.locator("#price").boundingBox();
  await visitor.close();
  // The mark has a margin, and the two browsers may have different fonts.
  const marked = place.locator("rect");
  for (const side of ["x", "y", "width", "height"] as const) {
    const value = Number(await marked.getAttribute(side));
    expect([side, Math.abs(value - (box?.[side] ?? 0)) < 30]).toEqual([side, true]);
  }
  await form.getByLabel("Where value 1 is found").selectOption("Price, detected automatically");
  await expect(form.getByText("Reads 59 from “59.00 €”")).toBeVisible();
  await form.getByLabel("Where value 1 is found").selectOption("Selector");
  await form.getByLabel("Rule of value 1").fill("#stock");
  await expect(form.getByText("Not found in the preview. Alerts and conditions need it.")).toBeVisible();
  await form.getByLabel("Rule of value 1").fill("#price");
}

test("a job with a followed number, a condition and a cron line is created; invalid rows show their own error", async () => {
  await page.getByRole("navigation").getByRole("link", { name: "New Job" }).click();
  await dialog("New Group").getByLabel("Group name").fill("Shops");
  await dialog("New Group").getByRole("button", { name: "Create Group" }).click();
  const form = dialog("New Job");
  await form.getByLabel("Name", { exact: true }).fill("Lamp");
  await form.getByLabel("URL", { exact: true }).fill(site.url);
  await form.getByRole("button", { name: /^Alert only if/ }).click();
  await form.getByRole("button", { name: "Add Condition" }).click();
  await form.getByLabel("Sort of condition 1").selectOption("Number down by");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form.getByText("Add the number under Numbers first.")).toBeInViewport();
  await form.getByRole("button", { name: /^Numbers/ }).click();
  await form.getByRole("button", { name: "Add Number" }).click();
  await form.getByLabel("Where value 1 is found").selectOption("Selector");
  await form.getByLabel("Rule of value 1").fill("#price[");
  await form.getByLabel("Number of condition 1").selectOption("price");
  await form.getByRole("button", { name: "Add Condition" }).click();
  await form.getByLabel("Sort of condition 2").selectOption("Kind of change");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form.getByText("Choose at least one kind.")).toBeInViewport();
  await form.getByRole("group", { name: "Kinds of condition 2" }).getByText("Number").click();
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form.getByText(/“#price\[” is not understood/)).toBeInViewport();
  await expectAccessible(page);
  await form.getByLabel("Rule of value 1").fill("#price");
  await seeWhatItReads(form);
  await form.getByRole("button", { name: "Add Condition" }).click();
  await form.getByLabel("Sort of condition 3").selectOption("Number up by");
  await form.getByLabel("Number of condition 3").selectOption("price");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form.getByText("No change can be both “price down” and “price up”.")).toBeInViewport();
  await form.getByRole("button", { name: "Remove condition 3" }).click();
  await form.getByRole("button", { name: /^When to check/ }).click();
  await form.getByRole("radio", { name: "Cron line" }).check();
  await form.getByRole("textbox", { name: "Cron line" }).fill("0 9 * * 1-5");
  await expect(form.locator("ol time")).toHaveCount(5);
  await form.getByRole("button", { name: /^Failures/ }).click();
  await form.getByLabel("When the site is down").selectOption("at the first failed check");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("By cron 0 9 * * 1-5, ")).toBeVisible();
  await expect(executions().getByText("First capture", { exact: true })).toBeVisible(patient);
});

test("a change that misses the condition is recorded with the reason; one that meets it is alerted", async () => {
  site.page.extra = price("64.00");
  await runNow(2);
  await expect(executions().getByText("Changed, no alert: price went up, you asked for down")).toBeVisible();
  site.page.extra = price("49.00");
  await runNow(3);
  await expect(executions().getByText("Changed", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /Notifications/ }).click();
  const feed = page.getByRole("dialog", { name: "Notifications" });
  await expect(feed.getByText("price 64.00 € → 49.00 €")).toBeVisible();
  await expect(feed.getByText("price 59.00 € → 64.00 €")).toHaveCount(0);
  await page.keyboard.press("Escape");
});

test("followed numbers are shown as a chart and as a table", async () => {
  await page.getByRole("tab", { name: "Numbers" }).click();
  const section = page.getByRole("region", { name: "price" });
  await expect(section.getByText("now 49.00 €")).toBeVisible();
  await expect(section.getByText("min 49.00 €", { exact: true })).toBeVisible();
  await expect(section.getByText("max 64.00 €", { exact: true })).toBeVisible();
  await expect(section.locator("svg path")).toBeVisible();
  await section.getByText("As a table").click();
  await expect(section.getByRole("row")).toHaveCount(4);
  await expectAccessibleInVariants(page);
});

test("a job is cloned; several jobs, selected by pointer and keyboard, are paused and restored together", async () => {
  await page.getByRole("button", { name: "Clone this job" }).click();
  await expect(page.getByRole("heading", { name: "Lamp copy" })).toBeVisible();
  await page.getByRole("button", { name: "Select several" }).click();
  const list = page.getByRole("list", { name: "Jobs of this group" });
  await list.getByLabel("Select Lamp", { exact: true }).check();
  await list.getByRole("button", { name: /^Lamp copy/ }).focus();
  await page.keyboard.press("x");
  await expect(page.getByLabel("2 of 2 selected")).toBeChecked();
  await page.getByLabel("Action", { exact: true }).selectOption("Change the frequency");
  await page.getByRole("button", { name: "Change the frequency: 2 jobs" }).click();
  await expect(page.getByText("Enter whole minutes, 1 or more.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Action", { exact: true }).selectOption("Pause");
  await page.getByRole("button", { name: "Pause: 2 jobs" }).click();
  await expect(list.getByText("PAUSED")).toHaveCount(2);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(list.getByText("ACTIVE")).toHaveCount(2);
});

test("an unreachable site is alerted at the first failed check", async () => {
  site.close();
  await page.getByRole("button", { name: "Run now" }).click();
  await page.getByRole("button", { name: /Notifications/ }).click();
  await expect(page.getByText(/^Check failed: /)).toBeVisible(patient);
});
