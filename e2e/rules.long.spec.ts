// Rules that are picked on a capture, steps through to the alert, and the comparison of a stored history with today's
// detector from the command line.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let site: Watching["site"];
let page: Page;

const patient = { timeout: 60_000 };
const dialog = (name: string) => page.getByRole("dialog", { name });

test.describe.configure({ mode: "serial", timeout: 240_000 });
/** The job “Sale” has alerted a new banner, which a rule ignores now, and a new row. */
test.beforeAll(async ({ browser, product }) => {
  watching = await startWatching(product, mailOf("rules-long"), { banner: "Summer sale: 10 % off today" });
  ({ site } = watching);
  const { jobId } = await watching.watch({ group: "Shops", name: "Sale" });
  site.page.banner = "Winter sale: everything must go";
  await watching.check(jobId, 2);
  site.page.rows.push("pay.acme.example");
  await watching.check(jobId, 3);
  await watching.check(jobId, 4);
  await watching.call("PATCH", `/api/jobs/${jobId}`, { ignore: [".banner"] });
  page = await watching.open(browser);
  page.setDefaultTimeout(30_000);
});
test.afterAll(() => watching.stop());

/** Creates a job in the account's only group, and waits for its first check. */
async function createJob(name: string): Promise<{ jobId: string; groupId: string }> {
  const { call } = watching;
  const [known] = await call<{ id: string }[]>("GET", "/api/jobs/groups");
  const groupId = known?.id ?? "";
  const input = { name, url: site.url, frequency: 60, groupId };
  const { job } = await call<{ job: { id: string } }>("POST", "/api/jobs/create", input);
  await watching.executions(job.id, 1);
  return { jobId: job.id, groupId };
}

test("npm run replay compares what today's detector would alert with what was alerted at the time", async () => {
  const replay = (...args: string[]) =>
    promisify(execFile)("node", ["--disable-warning=ExperimentalWarning", "scripts/replay.ts", ...args], {
      env: { ...process.env, DATA_DIR: watching.product.dataDir },
    }).catch((error: { stdout: string; stderr: string; code: number }) => error);
  const { stdout } = await replay("--account", mailOf("rules-long"));
  expect(stdout).toContain(`Sale  ${site.url}`);
  // The banner was alerted while no rule ignored it; by today's rules only the row is.
  expect(stdout.match(/then alert: .*\n {4}now {2}quiet: No change/g)).toHaveLength(1);
  expect(stdout).toContain("1 alert instead of 2 at 4 checks");
  expect(await replay("--account", "nobody@example.com")).toMatchObject({
    code: 1,
    stderr: "There is no account with the email address nobody@example.com.\n",
  });
});

test("a part that is picked on a capture is saved at once, and the rule can be undone", async () => {
  site.page.banner = "Only 45.40 today";
  const { jobId } = await createJob("Lamp");
  const rulesOf = () =>
    watching.call<{ ignore: string[]; values: object[]; alertIf: object | null }>(
      "GET",
      `/api/jobs/${jobId}`,
    );
  const [execution] = await watching.executions(jobId, 1);
  const at = new URLSearchParams({ view: "jobs", job: jobId, execution: execution?.id ?? "" });
  await page.goto(`${watching.product.url}/dashboard?${at}`);
  const picker = dialog("Pick on the page");
  const pickBanner = async () => {
    await page.getByRole("button", { name: "Pick on the page" }).click();
    await picker
      .getByRole("img", { name: "The page as it was captured" })
      .click({ position: { x: 60, y: 30 } });
    await expect(picker.getByText(".banner", { exact: true })).toBeVisible(patient);
  };
  await pickBanner();
  await picker.getByRole("button", { name: "Ignore this" }).click();
  await expect(picker).toBeHidden();
  expect((await rulesOf()).ignore).toEqual([".banner"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone.")).toBeVisible();
  expect((await rulesOf()).ignore).toEqual([]);

  await pickBanner();
  await expect(picker.getByRole("button", { name: /^Follow this number/ })).toContainText("45.40");
  await picker.getByRole("button", { name: "Alert when this…" }).click();
  await picker.getByLabel("Limit").fill("40");
  await expectAccessible(page);
  await picker.getByRole("button", { name: "Save" }).click();
  await expect(picker).toBeHidden();
  expect(await rulesOf()).toMatchObject({
    values: [{ name: "number", by: "selector", rule: ".banner" }],
    alertIf: { match: "any", conditions: [{ what: "number", is: "below", name: "number", amount: 40 }] },
  });
});

test("a step that is added on the screen shows what it leaves, and the next alert is about that", async () => {
  site.page.banner = "12 people are here";
  site.page.rows = ["www.acme.example", "api.acme.example"];
  const { jobId } = await createJob("Scope");
  const at = new URLSearchParams({ view: "jobs", job: jobId });
  await page.goto(`${watching.product.url}/dashboard?${at}`);
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByRole("button", { name: "Add a text step" }).click();
  // A step without a text isn't a mistake yet.
  await expect(form.getByText("Enter a text or a /pattern/.")).toBeVisible(patient);
  await form.getByLabel("Step 1", { exact: true }).selectOption({ label: "Keep what a pattern captures" });
  await form.getByLabel("/Pattern/").fill("/(\\w+)\\.acme\\.example/");
  await expect(form.getByLabel("After step 1", { exact: true })).toHaveText("www\napi", patient);
  await expect(form.getByLabel("Before the first step", { exact: true })).toContainText("12 people are here");
  await form.getByLabel("After step 1", { exact: true }).scrollIntoViewIfNeeded();
  await look(page, "steps");
  await form.getByRole("button", { name: "Add a text step" }).click();
  await form.getByLabel("Step 2", { exact: true }).selectOption({ label: "Sort lines" });
  await expect(form.getByLabel("After step 2", { exact: true })).toHaveText("api\nwww", patient);
  await expectAccessible(page);
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form).toBeHidden();
  site.page.banner = "17 people are here";
  site.page.rows = ["api.acme.example", "www.acme.example"];
  const [quiet] = await watching.check(jobId, 2);
  expect(quiet).toMatchObject({ changed: false });
  site.page.rows.push("pay.acme.example");
  const [changed] = await watching.check(jobId, 3);
  expect(changed).toMatchObject({ changed: true, summary: "“pay” added" });
});
