// Conditions on history, chosen hours, every bulk action and group defaults, through the screens.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, expectAccessibleInVariants, follow, mailOf } from "./web/visitor.ts";

let watching: Watching;
let page: Page;

const patient = { timeout: 60_000 };
const price = (amount: string) => `<p>Only today: <b id="price">${amount} €</b></p>`;
const dialog = (name: string) => page.getByRole("dialog", { name });

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product }) => {
  watching = await startWatching(product, mailOf("when-long"), { extra: price("59.00") });
  const down = { what: "number", name: "price", is: "down", amount: 1, percent: false };
  const settings = {
    values: [{ name: "price", by: "selector", rule: "#price" }],
    alertIf: { match: "all", conditions: [down] },
  };
  const { jobId, groupId } = await watching.watch({ group: "Shops", name: "Lamp", ...settings });
  watching.site.page.extra = price("64.00");
  await watching.check(jobId, 2);
  watching.site.page.extra = price("49.00");
  await watching.check(jobId, 3);
  await watching.call("POST", "/api/jobs/create", {
    name: "Lamp copy",
    url: watching.site.url,
    frequency: 60,
    groupId,
    ...settings,
  });
  page = await watching.open(browser);
  await follow(page, `${product.url}/dashboard?view=jobs&group=${groupId}&job=${jobId}`);
  await expect(page.getByRole("heading", { level: 2, name: "Lamp", exact: true })).toBeVisible();
});
test.afterAll(() => watching.stop());

test("testing conditions on history lists the alerts that they would have suppressed", async () => {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByLabel("Amount of condition 1").fill("30");
  await form.getByLabel("Unit of condition 1").selectOption("% or more");
  await expectAccessibleInVariants(page);
  await form.getByRole("button", { name: "Test on history" }).click();
  const trial = dialog("Test on history");
  await expect(trial.getByText("0 alerts instead of 1")).toBeVisible(patient);
  await expect(trial.getByRole("list", { name: "Silenced" })).toContainText(
    /Now: No alert: price went down by 23\.4\d*% \(by 16\.9\d*% since the last alert\), you asked for down by 30%/,
  );
  await trial.getByRole("button", { name: "Back to the settings" }).click();
  await form.getByRole("button", { name: "Undo edits" }).click();
  await form.getByRole("button", { name: "Close", exact: true }).first().click();
});

test("hours are chosen by pointer, keyboard or cron line, and the next runs are listed", async () => {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByRole("button", { name: /^When to check/ }).click();
  await form.getByLabel("Chosen hours of the week").check();
  await form.getByLabel("Time zone", { exact: true }).selectOption("Europe/Berlin");
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
  await expectAccessibleInVariants(page);
  await form.getByRole("radio", { name: "Cron line" }).check();
  await form.getByRole("textbox", { name: "Cron line" }).fill("0 25 * * *");
  await expect(form.getByText(/isn’t a cron line/)).toBeVisible();
  await form.getByRole("textbox", { name: "Cron line" }).fill("*/10 * * * *");
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form.getByText(/The Basic plan’s minimum interval is 60 minutes/)).toBeInViewport();
  await form.getByRole("textbox", { name: "Cron line" }).fill("0 9 * * 1-5");
  await expect(runs).toHaveCount(5);
  await expect(runs.first()).toHaveText(/(Mon|Tue|Wed|Thu|Fri).*09:00/);
  await form.getByRole("button", { name: /^Failures/ }).click();
  await form.getByLabel("When the site is down").selectOption("at the first failed check");
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("By cron 0 9 * * 1-5, Europe/Berlin")).toBeVisible();
});

test("each bulk action applies to every selected job, and one undo reverts it", async () => {
  const { call } = watching;
  const { token } = await call<{ token: string }>("GET", "/api/payment/prepare/ultimate");
  await call("POST", "/api/payment/sandbox/complete", { token });
  await call("POST", "/api/jobs/groups", { name: "Archive" });
  await page.reload();
  type JobRow = { name: string; ignore: string[]; frequencyMinutes: number; executionsTotal: number };
  const jobsOf = async (name: string) => {
    const groups = await call<{ id: string; name: string }[]>("GET", "/api/jobs/groups");
    const path = `/api/jobs/groups/${groups.find((group) => group.name === name)?.id}`;
    return (await call<{ Job: JobRow[] }>("GET", path)).Job;
  };
  const mapJobs = async (pick: (job: JobRow) => unknown, group = "Shops") => (await jobsOf(group)).map(pick);
  async function applyToAll(action: string, prepare?: () => Promise<unknown>): Promise<void> {
    await page.getByRole("button", { name: "Select several" }).click();
    await page.getByLabel("0 of 2 selected").check();
    await page.getByLabel("Action", { exact: true }).selectOption(action);
    await prepare?.();
    await page.getByRole("button", { name: `${action}: 2 jobs` }).click();
  }
  async function undo(): Promise<void> {
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    // The button fades out; the next Undo must not be mistaken for it.
    await expect(page.getByRole("button", { name: "Undo", exact: true })).toHaveCount(0);
  }
  const checks = async () => (await jobsOf("Shops")).reduce((sum, job) => sum + job.executionsTotal, 0);
  // The copy's first check may still be running.
  await expect
    .poll(async () => Math.min(...(await mapJobs((job) => job.executionsTotal)).map(Number)), patient)
    .toBeGreaterThan(0);
  const checksBefore = await checks();
  await applyToAll("Check now");
  await expect.poll(checks, patient).toBe(checksBefore + 2);
  await applyToAll("Change the frequency", () => page.getByLabel("Minutes").fill("90"));
  await expect.poll(() => mapJobs((job) => job.frequencyMinutes)).toEqual([90, 90]);
  await undo();
  await expect.poll(() => mapJobs((job) => job.frequencyMinutes)).toEqual([60, 60]);
  await applyToAll("Add an ignore rule", () => page.getByLabel("Ignore", { exact: true }).fill(".visitors"));
  await expect.poll(() => mapJobs((job) => job.ignore)).toEqual([[".visitors"], [".visitors"]]);
  await undo();
  await expect.poll(() => mapJobs((job) => job.ignore)).toEqual([[], []]);
  await applyToAll("Move to another group", () =>
    page.getByRole("group", { name: "Selected jobs" }).getByLabel("Group").selectOption("Archive"),
  );
  await expect.poll(() => mapJobs((job) => job.name, "Archive")).toHaveLength(2);
  await undo();
  await expect.poll(() => mapJobs((job) => job.name)).toHaveLength(2);
  await applyToAll("Delete");
  const list = page.getByRole("list", { name: "Jobs of this group" });
  await expect(list.getByText("Lamp copy")).toBeHidden();
  // The undo survives the tab in which the jobs were deleted.
  await page.reload();
  const past = page.getByRole("region", { name: "Can be undone" });
  await expect(past.getByText("permanently deleted in 30 min")).toBeVisible();
  await expectAccessible(page);
  await past.getByRole("button", { name: "Undo 2 jobs deleted" }).click();
  await expect(past).toBeHidden();
  await expect(list.getByText("Lamp copy")).toBeVisible();
  await expect.poll(() => mapJobs((job) => job.name)).toHaveLength(2);
});

test("jobs show the settings that they inherit from their group and those that they override", async () => {
  await page.getByRole("button", { name: "Group defaults" }).click();
  const form = dialog("Group defaults");
  await form.getByLabel("Also ignore").fill(".ad[");
  await form.getByRole("button", { name: /^Alert only if/ }).click();
  await form.getByRole("button", { name: "Add Condition" }).click();
  await form.getByLabel("Sort of condition 1").selectOption("Severity at least");
  await form.getByRole("button", { name: /^When to check/ }).click();
  await form.getByLabel("Chosen hours of the week").check();
  await form.getByRole("button", { name: "Every hour" }).click();
  await form.getByRole("button", { name: "Apply to 2 jobs" }).click();
  await expect(form.getByText(/“.ad\[” is not understood/)).toBeVisible();
  await form.getByLabel("Also ignore").fill(".ad");
  await form.getByLabel("Compare only, unless the job sets its own part").fill("main");
  await form.getByRole("button", { name: /^Failures/ }).click();
  await form.getByLabel("When the site is down").selectOption("at the first failed check");
  await form.getByRole("button", { name: /^Alerts go to/ }).click();
  await form.getByLabel("Email").check();
  await form.getByRole("button", { name: /^Request headers/ }).click();
  await form.getByRole("button", { name: "Add Header" }).click();
  await form.getByLabel("Name of header 1").fill("X-Key");
  await form.getByLabel("Value of header 1").fill("secret");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Apply to 2 jobs" }).click();
  await expect(form).toBeHidden();
  await page.getByRole("button", { name: "Settings" }).click();
  const job = dialog("Job Settings");
  await expect(job.getByRole("radio", { name: "Cron line" })).toBeChecked();
  await expect(job.getByRole("radio", { name: "Group default" })).toBeVisible();
  const inheritedRules = [
    { box: job.getByRole("checkbox", { name: ".ad" }), inherits: true },
    { box: job.getByRole("checkbox", { name: /^Compare the whole page instead/ }), inherits: false },
  ];
  // The job leaves out its group's rules, which the form shows when it is opened again.
  for (const { box, inherits } of inheritedRules) {
    await expect(box).toBeChecked({ checked: inherits });
    await box.setChecked(!inherits);
  }
  await job.getByRole("button", { name: "Update Job" }).click();
  await expect(job).toBeHidden();
  await page.getByRole("button", { name: "Settings" }).click();
  for (const { box, inherits } of inheritedRules) await expect(box).toBeChecked({ checked: !inherits });
  await job.getByRole("button", { name: "Close", exact: true }).first().click();
  await page.getByRole("navigation").getByRole("link", { name: "New Job" }).click();
  const fresh = dialog("New Job");
  await expect(fresh.getByRole("button", { name: "Alert only if group default: 1 condition" })).toBeVisible();
  await fresh.getByRole("button", { name: "When to check group default: 168 hours a week" }).click();
  await expect(fresh.getByLabel("Group default")).toBeChecked();
  await expect(fresh.locator("ol time")).toHaveCount(5);
  await fresh.getByRole("button", { name: "Failures group default: down 1, gone 2" }).click();
  await fresh.getByRole("button", { name: /^Alerts go to/ }).click();
  await expect(
    fresh.getByText("If none is selected or available, alerts use the group’s channels: Email."),
  ).toBeVisible();
  await fresh.getByRole("button", { name: /^Advanced/ }).click();
  await expect(
    fresh.getByText("From the group also: X-Key. The headers above take precedence."),
  ).toBeVisible();
  await expect(fresh.getByRole("checkbox", { name: ".ad" })).toBeChecked();
  await expect(fresh.getByText("If empty: the group default, main.")).toBeVisible();
  await expectAccessible(page);
  await fresh.getByRole("button", { name: "Close", exact: true }).first().click();
});
