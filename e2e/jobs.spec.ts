// From an empty account to the exact change, through the screens alone, against the running product.
import { expect, type Page } from "@playwright/test";
import { type ChangingSite, startChangingSite } from "./changing-site.ts";
import { test } from "./fixtures.ts";
import type { Product } from "./product.ts";
import { expectAccessible, follow, mailOf, makeAccount, signIn } from "./web/visitor.ts";

let product: Product;
let site: ChangingSite;

test.describe.configure({ mode: "serial", timeout: 240_000 });
test.beforeAll(async ({ product: shared }) => {
  product = shared;
  site = await startChangingSite();
  await makeAccount(product, mailOf("jobs"));
});
test.afterAll(() => site.close());

let page: Page;
// A request still open when a test ends must not affect the next test.
test.afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));
test.beforeAll(async ({ browser }) => {
  // axe needs a page that has its own context.
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await signIn(page, product, mailOf("jobs"));
});
test.afterAll(() => page.context().close());

const patient = { timeout: 60_000 };
const row = (text: string | RegExp) =>
  page.getByRole("list", { name: "Executions" }).getByText(text, { exact: true });
const dialog = (name: string) => page.getByRole("dialog", { name });

test("without a group, New Job asks for one first; each invalid field shows a message", async () => {
  await page.getByRole("navigation").getByRole("link", { name: "New Job" }).click();
  await dialog("New Group").getByRole("button", { name: "Create Group" }).click();
  await expect(dialog("New Group").getByText("Give the group a name.")).toBeVisible();
  await expect(dialog("New Group").getByLabel("Group name")).toBeFocused();
  await page.keyboard.type("Programmes");
  await dialog("New Group").getByRole("button", { name: "Create Group" }).click();
  const form = dialog("New Job");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form.getByText("Enter a URL.")).toBeVisible();
  await expect(form.getByLabel("Similarity level")).toBeDisabled();
  await expect(form.getByLabel("Similarity level")).toHaveValue("80");
  await form.getByLabel("Name").fill("Acme scope");
  await form.getByLabel("URL", { exact: true }).fill(site.url);
});

test("a draft survives an accidental close and a reload", async () => {
  await page.keyboard.press("Escape");
  await expect(dialog("New Job")).toBeHidden();
  await page.getByRole("navigation").getByRole("link", { name: "New Job" }).click();
  await expect(dialog("New Job").getByLabel("Name")).toHaveValue("Acme scope");
  await page.reload();
  await expect(dialog("New Job").getByLabel("Name")).toHaveValue("Acme scope");
  await expect(dialog("New Job").getByLabel("URL", { exact: true })).toHaveValue(site.url);
});

test("Advanced allows ten headers, validates the body while typing and names the plan a feature needs", async () => {
  const form = dialog("New Job");
  await form.getByRole("button", { name: /^Advanced/ }).click();
  const headers = form.getByRole("group", { name: "Request headers" });
  for (let i = 0; i < 10; i++) await headers.getByRole("button", { name: "Add Header" }).click();
  await expect(headers.getByRole("button", { name: "Add Header" })).toBeDisabled();
  for (let i = 10; i > 0; i--) await headers.getByRole("button", { name: `Remove header ${i}` }).click();
  await form.getByLabel("JSON body").fill('{"text": "{{summary}}"');
  await expect(form.getByText(/Not JSON yet/)).toBeVisible();
  await form.getByLabel("JSON body").fill('{"text": "{{summary}}", "alike": {{similarity}}}');
  await expect(form.getByText("Valid JSON.")).toBeVisible();
  await form.getByLabel("Trigger HTTP URL").fill(`${site.url}hook`);
  await form.getByRole("button", { name: "Test trigger" }).click();
  await expect(form.getByText(/^Answered 202 in \d+ ms/)).toBeVisible(patient);
  expect(JSON.parse(site.hooked[0] ?? "")).toMatchObject({ alike: expect.any(Number) });
  await form.getByLabel("Trigger HTTP URL").fill("http://169.254.169.254/");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(form.getByText(/^The trigger's URL is refused\./)).toBeInViewport();
  await expect(form.getByLabel("Trigger HTTP URL")).toBeFocused();
  await form.getByLabel("JSON body").fill("");
  await form.getByLabel("Trigger HTTP URL").fill("");
  await expect(form.getByText("Text lookup comes with Professional, 9$ a month.")).toBeVisible();
  await expectAccessible(page);
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/jobs/create")) sent++;
  });
  await form.getByRole("button", { name: "Create Job" }).dblclick();
  await expect(form).toBeHidden();
  expect(sent).toBe(1);
});

test("the first check runs by itself and appears without a reload", async () => {
  await expect(page.getByRole("heading", { name: "Acme scope" })).toBeVisible();
  await expect(row("First capture")).toBeVisible(patient);
  await expectAccessible(page);
});

test("a change on the page appears live, with the stages of the running check", async () => {
  site.page.rows.push("pay.acme.example");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText(/^Checking now: /)).toBeAttached(patient);
  await expect(row("Changed")).toBeVisible(patient);
  site.page.banner = "New: up to $20,000 for remote code execution";
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByRole("list", { name: "Executions" }).getByRole("listitem")).toHaveCount(3, patient);
});

test("'Changes only' hides executions without a change", async () => {
  await page.getByLabel("Changes only").click();
  await expect(page.getByRole("list", { name: "Executions" }).getByRole("listitem")).toHaveCount(2);
  await page.getByLabel("Changes only").click();
  await expect(page.getByLabel("Changes only")).not.toBeChecked();
});

test("the log shows what a check did and can be filtered by level", async () => {
  await page.getByRole("tab", { name: "Log Tracer" }).click();
  await expect(page.getByText(/^\[info\] - First capture/)).toBeVisible();
  await page.getByLabel("info", { exact: true }).uncheck();
  await expect(page.getByText(/^\[info\]/)).toHaveCount(0);
  await page.getByLabel("info", { exact: true }).check();
  await expect(page.getByLabel("Follow")).toBeChecked();
  await page.getByRole("tab", { name: "Show Executions" }).click();
});

test("the timeline opens an execution", async () => {
  await page.getByRole("button", { name: "Timeline", exact: true }).click();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText("3 executions in view")).toBeVisible();
  await timeline.getByRole("button", { name: "Zoom in" }).click();
  await timeline.getByRole("button", { name: "Whole history" }).click();
  await timeline
    .getByRole("link", { name: /1 changed/ })
    .first()
    .hover();
  await expect(timeline.locator("img")).toBeVisible();
  await expect(timeline.locator("img")).not.toHaveJSProperty("naturalWidth", 0);
  await expectAccessible(page);
  // By keyboard too: the timeline is one Tab stop, and keys move along it.
  await timeline.getByRole("button", { name: "Close timeline" }).focus();
  await page.keyboard.press("Tab");
  await expect(timeline.getByRole("link").last()).toBeFocused();
  await page.keyboard.press("Home");
  await expect(timeline.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Execution #1" })).toBeVisible(patient);
  await page.keyboard.press("Escape");
  await timeline
    .getByRole("link", { name: /1 changed/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Execution #2" })).toBeVisible(patient);
  await page.keyboard.press("Escape");
  await timeline.getByRole("button", { name: "Close timeline" }).click();
});

test("an export shows its progress and can be canceled", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/export?format=json", async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  await page.getByRole("button", { name: "Export data" }).click();
  await expect(dialog("Export data").getByRole("radio", { name: "JSON" })).toBeFocused();
  await dialog("Export data").getByRole("button", { name: "Export JSON" }).click();
  await expect(dialog("Export data").getByRole("progressbar", { name: "Export" })).toBeVisible();
  let saved = 0;
  page.on("download", () => saved++);
  await dialog("Export data").getByRole("button", { name: "Cancel" }).click();
  await expect(dialog("Export data")).toBeHidden();
  release();
  await page.unroute("**/export?format=json");
  expect(saved).toBe(0);
});

for (const [format, start] of [
  ["JSON", '{"job":'],
  ["CSV", "\u{FEFF}index,id"],
  ["ZIP", "PK"],
] as const) {
  test(`an export as ${format} downloads a file of that format`, async () => {
    await page.getByRole("button", { name: "Export data" }).click();
    await dialog("Export data").getByRole("radio", { name: format, exact: true }).check();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog("Export data")
        .getByRole("button", { name: `Export ${format}` })
        .click(),
    ]);
    expect(file.suggestedFilename()).toBe(`watchglass-Acme-scope.${format.toLowerCase()}`);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString("utf8").startsWith(start)).toBe(true);
    await expect(dialog("Export data")).toBeHidden();
  });
}

test("a settings field that is left empty keeps its value", async () => {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = dialog("Job Settings");
  await form.getByLabel("Name").fill("");
  await form.getByLabel("Frequency in minutes").fill("120");
  await form.getByRole("button", { name: "Update Job" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("heading", { name: "Acme scope" })).toBeVisible();
  await expect(page.getByText("Every 2 hours")).toBeVisible();
});

test("PAUSE, DISABLE and ACTIVE set the job's status", async () => {
  for (const name of ["PAUSE", "DISABLE", "ACTIVE"]) {
    const button = page.getByRole("button", { name, exact: true });
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByText("Next check")).toHaveCount(name === "ACTIVE" ? 1 : 0);
  }
});

test("a deleted job shows a message", async () => {
  await follow(page, `${product.url}/dashboard?view=jobs&job=00000000-0000-4000-8000-000000000000`);
  await expect(page.getByText("This job no longer exists")).toBeVisible();
  await page.getByRole("button", { name: "See the jobs" }).click();
  await expect(page.getByRole("heading", { name: "Acme scope" })).toBeVisible();
});

test("DELETE can be undone while the deletion is pending", async () => {
  await page.getByRole("button", { name: "DELETE", exact: true }).click();
  await dialog("Delete “Acme scope”?").getByRole("button", { name: "Delete job" }).click();
  await expect(page.getByText("No jobs in this group yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Acme scope" })).toBeVisible();
  // With the keyboard, the focus is on Undo.
  await page.getByRole("button", { name: "DELETE", exact: true }).press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No jobs in this group yet")).toBeVisible();
  await expect(page.locator("button:focus")).toHaveText("Undo");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Acme scope" })).toBeVisible();
});

test("a group is renamed, then deleted in a dialog that lists the jobs it deletes", async () => {
  const otherTab = await page.context().newPage();
  await otherTab.goto(`${product.url}/dashboard?view=jobs`);
  await expect(otherTab.getByRole("combobox", { name: "Group" })).toContainText("Programmes (1)");
  await page.getByRole("button", { name: "Edit This group" }).click();
  await dialog("Edit This group").getByLabel("Group name").fill("Bounties");
  await dialog("Edit This group").getByRole("button", { name: "Rename group" }).click();
  for (const tab of [page, otherTab])
    await expect(tab.getByRole("combobox", { name: "Group" })).toContainText("Bounties (1)");
  await page.getByRole("button", { name: "Delete This group" }).click();
  const deleteDialog = dialog("Delete “Bounties”?");
  await expect(deleteDialog.getByText("Acme scope")).toBeVisible();
  await expectAccessible(page);
  await deleteDialog.getByRole("button", { name: "Delete 1 job" }).click();
  await expect(page.getByText("Start with a group")).toBeVisible();
  // Leaving the page doesn't undo the deletion.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Start with a group")).toBeVisible({ timeout: 10_000 });
  }).toPass(patient);
  await expect(otherTab.getByText("Start with a group")).toBeVisible();
});

const jobRow = (name: string) =>
  page.getByRole("list", { name: "Jobs of this group" }).getByRole("button", { name });

test("a new group focuses its search; arrow keys move through its jobs on wide and narrow screens", async () => {
  await page.getByRole("main").getByRole("button", { name: "New Group" }).click();
  await dialog("New Group").getByLabel("Group name").fill("Walked");
  await page.keyboard.press("Enter");
  await expect(dialog("New Group")).toBeHidden();
  await expect(page.getByLabel("Search jobs")).toBeFocused();
  await page.evaluate(async (url) => {
    const groups = (await (await fetch("/api/jobs/groups")).json()) as { id: string }[];
    for (let i = 1; i <= 3; i++)
      await fetch("/api/jobs/create", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: `Walk ${i}`, url, frequency: 1440, groupId: groups[0]?.id }),
      });
  }, site.url);
  await expect(jobRow("Walk 3")).toBeVisible();
  await page.getByLabel("Search jobs").press("ArrowDown");
  await expect(jobRow("Walk 1")).toBeFocused();
  await page.evaluate(`for (let i = 0; i < 2; i++)
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }))`);
  await expect(jobRow("Walk 3")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Walk 3" })).toBeVisible();

  await page.setViewportSize({ width: 600, height: 800 });
  await page.getByRole("button", { name: "Back to the jobs" }).click();
  await expect(jobRow("Walk 3")).toBeFocused();
  await page.reload();
  await expect(jobRow("Walk 1")).toBeVisible();
  await page.getByLabel("Search jobs").press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(jobRow("Walk 2")).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Walk 2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Back to the jobs" })).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("keys move through the executions, and a new execution doesn't move the visible rows", async () => {
  await expect(row("First capture")).toBeVisible(patient);
  // A longer history than a test has time to create.
  await page.route(/\/executions\?/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { executions: object[] };
    const older = Array.from({ length: 60 }, (_, i) => ({
      ...body.executions[0],
      id: `00000000-0000-4000-8000-0000000000${10 + i}`,
      index: -i,
      hasImage: false,
    }));
    await route.fulfill({ json: { ...body, executions: [...body.executions, ...older] } });
  });
  await page.reload();
  const executionLink = (index: number) =>
    page
      .getByRole("list", { name: "Executions" })
      .getByRole("link")
      .filter({ has: page.getByText(`#${index}`, { exact: true }) });
  await expect(executionLink(1)).toBeVisible();
  await page.getByLabel("Changes only").focus();
  await page.keyboard.press("Tab");
  await expect(executionLink(1)).toBeFocused();
  await page.keyboard.press("End");
  await expect(executionLink(-59)).toBeFocused();
  await expect(executionLink(-59)).toBeInViewport({ ratio: 1 });
  for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowUp");
  await expect(executionLink(-29)).toBeFocused();
  const boxBefore = await executionLink(-29).boundingBox();
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText("2 in total", { exact: true })).toBeVisible(patient);
  await expect.poll(() => executionLink(-29).boundingBox()).toEqual(boxBefore);
  await executionLink(-29).press("Home");
  await expect(executionLink(2)).toBeFocused();
  await expect(executionLink(2)).toBeInViewport({ ratio: 1 });
  await page.unroute(/\/executions\?/);
});

test("leaving the end of the log turns Follow off; loading older lines doesn't move the view", async () => {
  await page.route(/\/logs\?/, async (route) => {
    const until = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 601);
    const lines = Array.from({ length: Math.min(200, until - 1) }, (_, i) => ({
      id: until - 1 - i,
      level: "info",
      meta: `line ${until - 1 - i}.${" and on it goes".repeat(i % 40)}`,
      createdAt: "2026-01-01T00:00:00.000Z",
      executionId: null,
    }));
    await route.fulfill({ json: lines });
  });
  await page.getByRole("tab", { name: "Log Tracer" }).click();
  const log = page.getByRole("region", { name: "Log lines" });
  const line = (number: number) => log.getByText(`line ${number}.`);
  const following = page.getByLabel("Follow");
  await expect(line(600)).toBeInViewport();
  await log.hover();
  for (const leave of [
    () => log.press("PageUp"),
    () => page.mouse.wheel(0, -300),
    () => log.evaluate((element: { scrollTop: number }) => (element.scrollTop -= 300)),
  ]) {
    await expect(following).toBeChecked();
    await leave();
    await expect(following).not.toBeChecked();
    // The browser scrolls smoothly for a while and ignores a key that is pressed too early.
    let scrollTop: number | undefined;
    await expect(async () => {
      const previous = scrollTop;
      scrollTop = await log.evaluate((element: { scrollTop: number }) => element.scrollTop);
      expect(scrollTop).toBe(previous);
    }).toPass({ intervals: [200] });
    await log.press("End");
    await expect(line(600)).toBeInViewport();
  }
  await expect(following).toBeChecked();
  await log.press("Home");
  await expect(following).not.toBeChecked();
  // The view was at the very top; the older page was inserted above it.
  await expect
    .poll(() => log.evaluate((element: { scrollTop: number }) => element.scrollTop))
    .toBeGreaterThan(1000);
  await expect(line(401)).toBeInViewport();
  await page.unroute(/\/logs\?/);
});
