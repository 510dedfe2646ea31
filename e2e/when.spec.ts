// Conditions, schedules, several jobs at once and group defaults, through the screens, against the running product.
// What each setting does to a check is in src/server/settings.db.test.ts.
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectSound } from "./web/visitor.ts";

const pictures = process.env.PICTURES ? join(import.meta.dirname, "../docs/pictures") : undefined;
let watching: Watching;
let site: Watching["site"];
let page: Page;

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, "when@example.com", { extra: price("59.00") });
  ({ site } = watching);
  page = await watching.open(browser);
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const price = (amount: string) => `<p>Only today: <b id="price">${amount} €</b></p>`;
const dialog = (name: string) => page.getByRole("dialog", { name });
const executions = () => page.getByRole("list", { name: "Executions" });

/** Examines the screen narrow and dark, wide and light, and takes the pictures of docs/pictures on request. */
async function show(name: string, top: Locator): Promise<void> {
  for (const [width, colorScheme] of [
    [375, "dark"],
    [1280, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await top.evaluate("(element) => element.scrollIntoView({ block: 'start' })");
    await expectSound(page);
    if (pictures) await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`) });
  }
}

async function runNow(count: number): Promise<void> {
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(executions().getByRole("listitem")).toHaveCount(count, patient);
}

test("a number is followed and a condition built; what cannot be is said at its row", async () => {
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
  await expect(form.getByText("Name the number under Numbers first.")).toBeInViewport();
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
  await expectSound(page);
  await form.getByLabel("Rule of value 1").fill("#price");
  await form.getByRole("button", { name: "Add Condition" }).click();
  await form.getByLabel("Sort of condition 3").selectOption("Number up by");
  await form.getByLabel("Number of condition 3").selectOption("price");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form.getByText("No change can be both “price down” and “price up”.")).toBeInViewport();
  await form.getByRole("button", { name: "Remove condition 3" }).click();
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form).toBeHidden();
  await expect(executions().getByText("First capture", { exact: true })).toBeVisible(patient);
});

test("a change that was not asked for is kept and says why; one that was is told", async () => {
  site.page.extra = price("64.00");
  await runNow(2);
  await expect(executions().getByText("Changed, not told: price went up, you asked for down")).toBeVisible();
  site.page.extra = price("49.00");
  await runNow(3);
  await expect(executions().getByText("Changed", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: /Notifications/ }).click();
  await expect(page.getByText("price 64.00 € → 49.00 €")).toHaveCount(2);
  await expect(page.getByText(/price 59.00 € → 64.00 €/)).toHaveCount(1);
  await page.keyboard.press("Escape");
});

test("conditions are tried on the history, and say what they would have kept quiet", async () => {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByLabel("Amount of condition 1").fill("30");
  await form.getByLabel("Unit of condition 1").selectOption("% or more");
  await show("conditions", form.getByRole("button", { name: /^Alert only if/ }));
  await form.getByRole("button", { name: "Try on history" }).click();
  const trial = dialog("Try on history");
  await expect(trial.getByText("0 alerts instead of 1")).toBeVisible(patient);
  await expect(trial.getByRole("list", { name: "Silenced" })).toContainText(
    "Now: Not told: price went down by 23.4375 %, you asked for down by 30 %",
  );
  await trial.getByRole("button", { name: "Back to the settings" }).click();
  await form.getByRole("button", { name: "Undo edits" }).click();
  await form.getByRole("button", { name: "Close", exact: true }).first().click();
});

test("the numbers have a chart, and a table that says the same", async () => {
  await page.getByRole("tab", { name: "Numbers" }).click();
  const section = page.getByRole("region", { name: "price" });
  await expect(section.getByText("now 49.00 €")).toBeVisible();
  await expect(section.getByText("min 49", { exact: true })).toBeVisible();
  await expect(section.getByText("max 64", { exact: true })).toBeVisible();
  await expect(section.locator("svg.recharts-surface")).toBeVisible();
  await section.getByText("As a table").click();
  await expect(section.getByRole("row")).toHaveCount(4);
  await show("numbers", section);
});

test("hours of the week by pointer and by keys, a cron line, and what they come to", async () => {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByRole("button", { name: /^When to check/ }).click();
  await form.getByLabel("In hours of the week").check();
  await form.getByLabel("Time zone").selectOption("Europe/Berlin");
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form.getByRole("alert").getByText("Choose at least one hour.")).toBeInViewport();
  const cell = (name: string) => form.getByRole("gridcell", { name, exact: true });
  await cell("Monday 09:00").click();
  await expect(cell("Monday 09:00")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await expect(cell("Tuesday 09:00")).toHaveAttribute("aria-selected", "true");
  await form.getByRole("button", { name: "Sat, all day" }).click();
  await expect(form.getByRole("gridcell", { selected: true })).toHaveCount(26);
  await form.getByRole("button", { name: "Weekdays 9 to 18" }).click();
  await expect(form.getByRole("gridcell", { selected: true })).toHaveCount(45);
  const runs = form.locator("ol time");
  await expect(runs).toHaveCount(5);
  await expect(runs.first()).toHaveText(/GMT\+[12]|CES?T/);
  await show("hours", form.getByRole("button", { name: /^When to check/ }));
  await form.getByLabel("By a cron line").check();
  await form.getByRole("textbox", { name: "Cron line" }).fill("0 25 * * *");
  await expect(form.getByText(/is no cron line/)).toBeVisible();
  await form.getByRole("textbox", { name: "Cron line" }).fill("*/10 * * * *");
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form.getByText(/The Basic plan allows checks every 60 minutes at most/)).toBeInViewport();
  await form.getByRole("textbox", { name: "Cron line" }).fill("0 9 * * 1-5");
  await expect(runs).toHaveCount(5);
  await expect(runs.first()).toHaveText(/(Mon|Tue|Wed|Thu|Fri).*09:00/);
  await form.getByRole("button", { name: /^Failures/ }).click();
  await form.getByLabel("The site is down").selectOption("at the first failed check");
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("By cron 0 9 * * 1-5, Europe/Berlin")).toBeVisible();
});

test("a job is cloned; several are chosen, by keys too, changed at once and put back at once", async () => {
  await page.getByRole("button", { name: "Clone this job" }).click();
  await expect(page.getByRole("heading", { name: "Lamp copy" })).toBeVisible();
  await page.getByRole("button", { name: "Choose several" }).click();
  const list = page.getByRole("list", { name: "Jobs of this group" });
  await list.getByLabel("Choose Lamp", { exact: true }).check();
  await list.getByRole("button", { name: /^Lamp copy/ }).focus();
  await page.keyboard.press("x");
  await expect(page.getByLabel("2 of 2 chosen")).toBeChecked();
  await page.getByLabel("What to do").selectOption("Change the frequency");
  await page.getByRole("button", { name: "Change the frequency: 2 jobs" }).click();
  await expect(page.getByText("Whole minutes, from 1.")).toBeVisible();
  await expectSound(page);
  await page.getByLabel("What to do").selectOption("Pause");
  await page.getByRole("button", { name: "Pause: 2 jobs" }).click();
  await expect(list.getByText("PAUSED")).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(list.getByText("ACTIVE")).toHaveCount(2);
});

test("all that is done with several jobs counts for each, and one undo takes it back", async () => {
  const { call } = watching;
  const { token } = await call<{ token: string }>("GET", "/api/payment/prepare/ultimate");
  await call("POST", "/api/payment/sandbox/complete", { token });
  await call("POST", "/api/jobs/groups", { name: "Archive" });
  await page.reload();
  type Shown = { name: string; ignore: string[]; frequencyMinutes: number; executionsTotal: number };
  const jobsOf = async (name: string) => {
    const groups = await call<{ id: string; name: string }[]>("GET", "/api/jobs/groups");
    const path = `/api/jobs/groups/${groups.find((group) => group.name === name)?.id}`;
    return (await call<{ Job: Shown[] }>("GET", path)).Job;
  };
  const each = async (pick: (job: Shown) => unknown, group = "Shops") => (await jobsOf(group)).map(pick);
  async function all(what: string, prepare?: () => Promise<unknown>): Promise<void> {
    await page.getByRole("button", { name: "Choose several" }).click();
    await page.getByLabel("0 of 2 chosen").check();
    await page.getByLabel("What to do").selectOption(what);
    await prepare?.();
    await page.getByRole("button", { name: `${what}: 2 jobs` }).click();
  }
  async function undo(): Promise<void> {
    await page.getByRole("button", { name: "Undo" }).click();
    // It fades out; the next Undo must not be mistaken for it.
    await expect(page.getByRole("button", { name: "Undo" })).toHaveCount(0);
  }
  const checks = async () => (await jobsOf("Shops")).reduce((sum, job) => sum + job.executionsTotal, 0);
  // The copy's first check may still be running.
  await expect
    .poll(async () => Math.min(...(await each((job) => job.executionsTotal)).map(Number)), patient)
    .toBeGreaterThan(0);
  const before = await checks();
  await all("Check now");
  await expect.poll(checks, patient).toBe(before + 2);
  await all("Change the frequency", () => page.getByLabel("Minutes").fill("90"));
  await expect.poll(() => each((job) => job.frequencyMinutes)).toEqual([90, 90]);
  await undo();
  await expect.poll(() => each((job) => job.frequencyMinutes)).toEqual([60, 60]);
  await all("Ignore something more", () => page.getByLabel("Ignore", { exact: true }).fill(".visitors"));
  await expect.poll(() => each((job) => job.ignore)).toEqual([[".visitors"], [".visitors"]]);
  await undo();
  await expect.poll(() => each((job) => job.ignore)).toEqual([[], []]);
  await all("Move to another group", () =>
    page.getByRole("group", { name: "The chosen jobs" }).getByLabel("Group").selectOption("Archive"),
  );
  await expect.poll(() => each((job) => job.name, "Archive")).toHaveLength(2);
  await undo();
  await expect.poll(() => each((job) => job.name)).toHaveLength(2);
  await all("Delete");
  const list = page.getByRole("list", { name: "Jobs of this group" });
  await expect(list.getByText("Lamp copy")).toBeHidden();
  await undo();
  await expect(list.getByText("Lamp copy")).toBeVisible();
  await expect.poll(() => each((job) => job.name)).toHaveLength(2);
});

test("what a group hands down is seen in its jobs, with what they say otherwise", async () => {
  await page.getByRole("button", { name: "Handed down" }).click();
  const form = dialog("Handed down");
  await form.getByLabel("Ignore, besides what a job ignores").fill(".ad[");
  await form.getByRole("button", { name: /^Alert only if/ }).click();
  await form.getByRole("button", { name: "Add Condition" }).click();
  await form.getByLabel("Sort of condition 1").selectOption("Severity at least");
  await form.getByRole("button", { name: /^When to check/ }).click();
  await form.getByLabel("In hours of the week").check();
  await form.getByRole("button", { name: "Every hour" }).click();
  await form.getByRole("button", { name: "Hand down to 2 jobs" }).click();
  await expect(form.getByText(/“.ad\[” is not understood/)).toBeVisible();
  await form.getByLabel("Ignore, besides what a job ignores").fill(".ad");
  await form.getByLabel("Compare only, where a job says nothing").fill("main");
  await form.getByRole("button", { name: /^Failures/ }).click();
  await form.getByLabel("The site is down").selectOption("at the first failed check");
  await form.getByRole("button", { name: /^Alerts go to/ }).click();
  await form.getByLabel("E-mail").check();
  await form.getByRole("button", { name: /^Request headers/ }).click();
  await form.getByRole("button", { name: "Add Header" }).click();
  await form.getByLabel("Name of header 1").fill("X-Key");
  await form.getByLabel("Value of header 1").fill("secret");
  await expectSound(page);
  await form.getByRole("button", { name: "Hand down to 2 jobs" }).click();
  await expect(form).toBeHidden();
  await page.getByRole("button", { name: "Settings" }).click();
  const job = dialog("Job Settings");
  await job.getByRole("button", { name: /^Advanced/ }).click();
  await expect(job.getByText("From the group also: .ad.")).toBeVisible();
  await expect(job.getByLabel("By a cron line")).toBeChecked();
  await expect(job.getByLabel("As the group says")).toBeVisible();
  await job.getByRole("button", { name: "Close", exact: true }).first().click();
  await page.getByRole("navigation").getByRole("link", { name: "New Job" }).click();
  const fresh = dialog("New Job");
  await expect(fresh.getByRole("button", { name: "Alert only if as the group: 1 condition" })).toBeVisible();
  await fresh.getByRole("button", { name: "When to check as the group: 168 hours a week" }).click();
  await expect(fresh.getByLabel("As the group says")).toBeChecked();
  await expect(fresh.locator("ol time")).toHaveCount(5);
  await fresh.getByRole("button", { name: "Failures as the group: down 1, gone 10" }).click();
  await fresh.getByRole("button", { name: /^Alerts go to/ }).click();
  await expect(fresh.getByText("None chosen: as the group, E-mail.")).toBeVisible();
  await fresh.getByRole("button", { name: /^Advanced/ }).click();
  await expect(fresh.getByText("From the group also: X-Key. Those above win.")).toBeVisible();
  await expect(fresh.getByText("From the group also: .ad.")).toBeVisible();
  await expect(fresh.getByText("Empty: as the group, main.")).toBeVisible();
  await expectSound(page);
  await fresh.getByRole("button", { name: "Close", exact: true }).first().click();
});

test("a site that is down is told at once", async () => {
  site.close();
  await page.getByRole("button", { name: "Run now" }).click();
  await page.getByRole("button", { name: /Notifications/ }).click();
  await expect(page.getByText(/^Not seen: /)).toBeVisible(patient);
});
