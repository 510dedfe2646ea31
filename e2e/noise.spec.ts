// From the picture to the HTML and back, feedback on a difference and its undo, and why there was an alert or not.
// src/server/noise.db.test.ts tests what feedback does to later checks; one effect is shown here.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { isLong } from "./size.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectAccessible, follow, look, mailOf } from "./web/visitor.ts";

let watching: Watching;
let product: Watching["product"];
let jobId = "";
let page: Page;
type Execution = Awaited<ReturnType<Watching["check"]>>[number];
let changed: Execution;
let checks = 1;

const menu = (...labels: string[]) =>
  `<nav>${labels.map((label, i) => `<a href="/menu/${i}">${label}</a>`).join(" ")}</nav>`;

test.describe.configure({ mode: "serial", timeout: 240_000 });

async function check(): Promise<Execution> {
  const [newest] = await watching.check(jobId, ++checks);
  return newest as Execution;
}

const draw = (scope: string, minutes: number, ad: string) => {
  const { page: sitePage } = watching.site;
  sitePage.rows[1] = `Payments and refunds at ${scope}`;
  sitePage.extra = `<p>Updated ${minutes} minutes ago</p><p class="ad">${ad}</p>`;
};

test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, mailOf("noise"), {
    banner: menu("Start", "Programmes", "Help"),
  });
  ({ product } = watching);
  draw("api.acme.example", 5, "Buy one lamp");
  ({ jobId } = await watching.watch({ group: "Programmes", name: "Acme scope", ignore: [".ad"] }));
  draw("api2.acme.example", 9, "Buy two lamps");
  changed = await check();
  page = await watching.open(browser);
});
test.afterAll(() => watching.stop());

const patient = { timeout: 60_000 };
const viewer = () => page.getByRole("dialog", { name: "Acme scope" });
const panel = () => viewer().getByRole("complementary");
const open = (parts = "") =>
  follow(page, `${product.url}/dashboard?view=jobs&job=${jobId}&execution=${changed.id}&${parts}`);

test("regions have a description, noise is dotted and hidden by default, and parts that rules ignore are shaded", async () => {
  await open();
  await expect(viewer().getByText("1 of 1 region")).toBeVisible(patient);
  await expect(
    viewer()
      .getByText(/api → api2/)
      .first(),
  ).toBeVisible();
  await expect(viewer().locator("[data-region]")).toHaveCount(2);
  await expect(viewer().locator("[data-shade]")).toHaveCount(2);
  await expect(viewer().locator("[data-noise]")).toHaveCount(0);
  await viewer().getByRole("button", { name: "Noise (1)" }).click();
  await expect(viewer().locator("[data-noise]")).toHaveCount(2);
  await expect(viewer().getByText("1 of 1 region")).toBeVisible();
  await expectAccessible(page);
});

test("a region links to its line, and a changed line links to its location on the picture", async () => {
  await open();
  await expect(viewer().locator("[data-region]")).toHaveCount(2, patient);
  await viewer().locator("[data-region]").last().click();
  await expect(panel().locator("[aria-current]")).toContainText("api2.acme.example");
  await viewer().getByRole("button", { name: "Show in HTML" }).click();
  await expect(viewer().locator("[data-sought]").first()).toContainText("api2.acme.example", patient);
  await expect(page).not.toHaveURL(/region=/);
  await page.keyboard.press("l");
  await expect(viewer().locator("[data-region]")).toHaveCount(2, patient);
  await expect(page).toHaveURL(/at=0/);
  // An ignored difference leads to its dotted region.
  await panel().getByRole("button", { name: "Show in picture" }).last().click();
  await expect(viewer().locator("[data-noise]").last()).toBeInViewport(patient);
  await expect(page).toHaveURL(/at=1.*noise=1|noise=1.*at=1/);
});

test("'Why' shows what happened to each difference and which channels were alerted", async () => {
  await open();
  const why = panel()
    .locator("section", { has: page.getByRole("heading", { name: "Why" }) })
    .first();
  await expect(why.getByText("a time or date").first()).toBeVisible(patient);
  await expect(why.getByText("Buy two lamps")).toBeVisible(patient);
  await expect(why.getByText(".ad", { exact: true })).toBeVisible();
  await expect(why.getByText("no alert: not in your plan").first()).toBeVisible();
  await expect(why.getByText("Email")).toBeVisible();
});

test("a difference marked as noise no longer counts as a change, and the feedback can be undone", async () => {
  await open();
  await panel().getByRole("button", { name: "This is noise" }).first().click();
  await expect(panel().getByText("Noise from the next check on")).toBeVisible(patient);
  draw("api3.acme.example", 9, "Buy six lamps");
  expect(await check()).toMatchObject({ changed: false });
  await follow(page, `${product.url}/dashboard?view=jobs&job=${jobId}&dialog=settings`);
  const settings = page.getByRole("dialog", { name: "Job Settings" });
  await expect(settings.getByText("You marked it as noise")).toBeVisible(patient);
  await expectAccessible(page);
  await settings.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(settings.getByText("You marked it as noise")).toBeHidden(patient);
});

test("an ignored difference is alerted from the next check on if the user asks for it", async () => {
  await open();
  const tellButton = panel().getByRole("button", { name: "Alert me about this" });
  await expect(tellButton.first()).toBeVisible(patient);
  await panel()
    .locator("li", { hasText: "Updated 9 minutes ago" })
    .getByRole("button", { name: "Alert me about this" })
    .click();
  await expect(panel().getByText("Alerted from the next check on").first()).toBeVisible(patient);
});

test("a changed menu label is pending until the next check, and the viewer says so", async () => {
  watching.site.page.banner = menu("Start", "Programmes", "Guides");
  const pendingChange = await check();
  expect(pendingChange).toMatchObject({ changed: true });
  const address = `${product.url}/dashboard?view=jobs&job=${jobId}&execution=${pendingChange.id}`;
  await follow(page, address);
  await expect(panel().getByText("Changed, pending")).toBeVisible(patient);
  await expect(
    panel().getByRole("heading", { name: "Pending: alerted if the next check still sees it", exact: true }),
  ).toBeVisible();
  const pendingText = "In your notifications. Alerts go out if the next check still sees it.";
  await expect(panel().getByText(pendingText)).toBeVisible();
  // The same screen with other text; the short run examined it above.
  if (isLong) await expectAccessible(page);
  await look(page, "waits");
  // src/noise-feedback/frequent-change-question.db.test.ts tests that the second check sends the alert; the viewer is tested
  // here.
  if (!isLong) return;
  expect(await check()).toMatchObject({ changed: false });
  await page.goto(address);
  await expect(panel().getByText("Email")).toBeVisible(patient);
  await expect(panel().getByText(pendingText)).toBeHidden();
});
