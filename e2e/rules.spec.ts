// Rules as a user makes them: picked on a preview, tested on history, and applied to the next check. What each rule
// does to a check is in src/server/settings.db.test.ts. tasks.spec.ts picks parts of a capture.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let site: Watching["site"];
let page: Page;

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, mailOf("rules"), { banner: "Summer sale: 10 % off today" });
  ({ site } = watching);
  page = await watching.open(browser);
  page.setDefaultTimeout(30_000);
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const dialog = (name: string) => page.getByRole("dialog", { name });
const rows = () => page.getByRole("list", { name: "Executions" }).getByRole("listitem");

/** Creates a job in the account's only group, and waits for its first check. */
async function createJob(name: string): Promise<{ jobId: string; groupId: string }> {
  const { call } = watching;
  const [known] = await call<{ id: string }[]>("GET", "/api/jobs/groups");
  const { id: groupId } =
    known ?? (await call<{ id: string }>("POST", "/api/jobs/groups", { name: "Shops" }));
  const input = { name, url: site.url, frequency: 60, groupId };
  const { job } = await call<{ job: { id: string } }>("POST", "/api/jobs/create", input);
  await watching.executions(job.id, 1);
  return { jobId: job.id, groupId };
}

/** Runs a check and waits until that many executions are listed. */
async function check(count: number): Promise<void> {
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(rows()).toHaveCount(count, patient);
}

test("changes in a part that was picked on the preview to be ignored are not alerted", async () => {
  await page.getByRole("navigation").getByRole("link", { name: "New Job" }).click();
  await dialog("New Group").getByLabel("Group name").fill("Shops");
  await dialog("New Group").getByRole("button", { name: "Create Group" }).click();
  const form = dialog("New Job");
  await form.getByLabel("Name").fill("Sale");
  await form.getByLabel("URL", { exact: true }).fill(site.url);
  await form.getByRole("button", { name: "Preview" }).click();
  await expect(form.getByRole("img", { name: "The page as a check sees it" })).toBeVisible(patient);
  await expect(form.getByText("200 Acme bug bounty")).toBeVisible();
  await expectAccessible(page);
  await form.getByRole("button", { name: "Pick on the page" }).click();
  const picker = dialog("Pick on the page");
  const picture = picker.getByRole("img", { name: "The page as it was captured" });
  await expect(picture).toBeVisible(patient);
  await picture.hover({ position: { x: 200, y: 30 } });
  await expect(picker.locator("[data-outline]")).toHaveAttribute("data-outline", "div");
  await page.keyboard.press("ArrowUp");
  await expect(picker.locator("[data-outline]")).toHaveAttribute("data-outline", "body");
  await page.keyboard.press("ArrowDown");
  await expect(picker.locator("[data-outline]")).toHaveAttribute("data-outline", "div");
  await page.keyboard.press("Enter");
  await expect(picker.getByText(".banner", { exact: true })).toBeVisible(patient);
  await expect(picker.getByText("matches 1 element, 5 words")).toBeVisible();
  await expectAccessible(page);
  await picker.getByRole("button", { name: "Ignore this" }).click();
  await expect(form.getByLabel("Ignore", { exact: true })).toHaveValue(".banner");
  await expect(form.getByLabel("Ignore", { exact: true })).toBeFocused();
  await expect(form.getByRole("list", { name: "Ignored content" })).toHaveText(
    ".bannermatches 1 element, 5 words",
  );
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(rows()).toHaveCount(1, patient);
  site.page.banner = "Winter sale: everything must go";
  await check(2);
  await expect(rows().first()).not.toContainText("Changed");
  site.page.rows.push("pay.acme.example");
  await check(3);
  await expect(rows().first()).toContainText("Changed");
});

test("testing rules on history lists the alerts that they would have suppressed", async () => {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByLabel("Ignore", { exact: true }).fill("");
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form).toBeHidden();
  // The only alert so far was of a row. A banner makes a second one, which the rule would suppress.
  site.page.banner = "Last chance: ends tonight";
  await check(4);
  await page.getByRole("button", { name: "Settings" }).click();
  await form.getByLabel("Ignore", { exact: true }).fill(".banner\n##[");
  await expect(form.getByText(/“##\[” is not understood at character 1/)).toBeVisible(patient);
  await form.getByLabel("Ignore", { exact: true }).fill(".banner");
  await expect(form.getByText("matches 1 element, 4 words")).toBeVisible(patient);
  await form.getByRole("button", { name: "Test on history" }).click();
  const trial = dialog("Test on history");
  await expect(trial.getByText("1 alert instead of 2")).toBeVisible(patient);
  await expect(trial.getByRole("list", { name: "Silenced" }).getByRole("listitem")).toHaveCount(1);
  await expect(trial.getByRole("list", { name: "Alerted as before" }).getByRole("listitem")).toHaveCount(1);
  await expectAccessible(page);
  await trial.getByRole("list", { name: "Silenced" }).getByRole("link").first().click();
  await expect(page.getByText("Compared with the rules you’re testing. They aren’t saved.")).toBeVisible(
    patient,
  );
  const about = page.getByRole("complementary", { name: "About this execution" });
  await expect(about).toContainText("Ignored by rule.banner");
  await expect(about).toContainText(/Breakdown.*capturing [\d,]+ ms/);
  await look(page, "trial");
  await page.getByRole("button", { name: "Pick on the page" }).click();
  const picker = dialog("Pick on the page");
  const captured = picker.getByRole("img", { name: "The page as it was captured" });
  await expect(captured).toBeVisible(patient);
  await captured.click({ position: { x: 200, y: 110 } });
  await expect(picker.getByText("h1", { exact: true })).toBeVisible(patient);
  await picker.getByRole("button", { name: "Watch only this" }).click();
  await expect(form.getByLabel("Compare only")).toHaveValue("h1");
  await form.getByLabel("Compare only").fill("");
  await form.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Back to the test" }).click();
  await expect(trial.getByText("1 alert instead of 2")).toBeVisible(patient);
  await trial.getByRole("button", { name: "Back to the settings" }).click();
  await expect(form.getByLabel("Ignore", { exact: true })).toHaveValue(".banner");
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form).toBeHidden();
});

test("a step that is added on the screen shows what it leaves", async () => {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByRole("button", { name: "Add a text step" }).click();
  // A step without a text isn't a mistake yet.
  await expect(form.getByText("Enter a text or a /pattern/.")).toBeVisible(patient);
  await form.getByLabel("Step 1", { exact: true }).selectOption({ label: "Keep what a pattern captures" });
  await form.getByLabel("/Pattern/").fill("/(api)\\.acme\\.example/");
  await expect(form.getByLabel("After step 1", { exact: true })).toHaveText("api", patient);
  await expect(form.getByLabel("Before the first step", { exact: true })).toContainText("www.acme.example");
  await form.getByLabel("After step 1", { exact: true }).scrollIntoViewIfNeeded();
  await look(page, "steps");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Undo edits" }).click();
  await form.getByRole("button", { name: "Close", exact: true }).first().click();
});

test("settings are saved by section and say what is inherited; Escape closes them, and a question", async () => {
  const { call } = watching;
  const { jobId, groupId } = await createJob("Chair");
  await follow(page, `${watching.product.url}/dashboard?view=jobs&group=${groupId}&job=${jobId}`);
  await expect(page.getByRole("heading", { level: 2, name: "Chair" })).toBeVisible();
  await page.getByRole("button", { name: "Group defaults" }).click();
  await dialog("Group defaults").getByLabel("Also ignore").fill(".cookie-banner");
  await dialog("Group defaults")
    .getByRole("button", { name: /^Apply to/ })
    .click();
  await expect(dialog("Group defaults")).toBeHidden();
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = dialog("Job Settings");
  const section = (name: string) => settings.getByRole("form", { name });
  await expect(section("Compare and ignore").getByText("Inherited from Shops")).toBeVisible();
  await section("Compare and ignore").getByLabel("Ignore", { exact: true }).fill(".ad");
  await expect(section("Compare and ignore").getByText("Added to the defaults of Shops")).toBeVisible();
  await section("Note and tags").getByLabel("Tags").fill("shop");
  await section("Note and tags").getByRole("button", { name: "Save section" }).click();
  await expect(section("Note and tags").getByText("Not saved yet")).toBeHidden();
  // The other section keeps its edit.
  await expect(section("Compare and ignore").getByText("Not saved yet")).toBeVisible();
  expect(await call("GET", `/api/jobs/${jobId}`)).toMatchObject({ tags: ["shop"], ignore: [] });
  await section("Compare and ignore").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(section("Compare and ignore").getByText("Not saved yet")).toBeHidden();
  const { entries } = await call<{ entries: { about: string }[] }>("GET", "/api/me/audit");
  expect(entries[0]?.about).toBe("Chair: tags");
  await page.keyboard.press("Escape");
  await expect(settings).toBeHidden();
  await page.getByRole("button", { name: "DELETE", exact: true }).click();
  await expect(dialog("Delete “Chair”?")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog("Delete “Chair”?")).toBeHidden();
  await expect(page.getByRole("heading", { level: 2, name: "Chair" })).toBeVisible();
});
