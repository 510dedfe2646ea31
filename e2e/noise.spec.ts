// From the picture to the page and back; feedback on a difference, given and undone; why there was an alert or not.
// What feedback does to later checks is in src/server/noise.db.test.ts; one effect is shown here.
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { isLong } from "./size.ts";
import { startWatching, type Watching } from "./watching.ts";
import { expectSound, look } from "./web/visitor.ts";

let watching: Watching;
let product: Watching["product"];
let jobId = "";
let page: Page;
type Execution = Awaited<ReturnType<Watching["check"]>>[number];
let changed: Execution;
let checks = 1;

const menu = (...labels: string[]) =>
  `<nav>${labels.map((label, at) => `<a href="/menu/${at}">${label}</a>`).join(" ")}</nav>`;

test.describe.configure({ mode: "serial", timeout: 240_000 });

async function check(): Promise<Execution> {
  const [newest] = await watching.check(jobId, ++checks);
  return newest as Execution;
}

const draw = (scope: string, minutes: number, ad: string) => {
  const { page: shown } = watching.site;
  shown.rows[1] = `Payments and refunds at ${scope}`;
  shown.extra = `<p>Updated ${minutes} minutes ago</p><p class="ad">${ad}</p>`;
};

test.beforeAll(async ({ browser, product: shared }) => {
  watching = await startWatching(shared, "noise@example.com", {
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
  page.goto(`${product.url}/dashboard?view=jobs&job=${jobId}&execution=${changed.id}&${parts}`);

test("a region says what it is; noise is dotted and off by default; what a rule leaves out is shaded", async () => {
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
  await expectSound(page);
});

test("from a region to its line and from a changed line to its place on the picture", async () => {
  await open();
  await expect(viewer().locator("[data-region]")).toHaveCount(2, patient);
  await viewer().locator("[data-region]").last().click();
  await expect(panel().locator("[aria-current]")).toContainText("api2.acme.example");
  await viewer().getByRole("button", { name: "Its line" }).click();
  await expect(viewer().locator("[data-sought]").first()).toContainText("api2.acme.example", patient);
  await expect(page).not.toHaveURL(/region=/);
  await page.keyboard.press("l");
  await expect(viewer().locator("[data-region]")).toHaveCount(2, patient);
  await expect(page).toHaveURL(/at=0/);
  // What was ignored leads to its dotted region.
  await panel().getByRole("button", { name: "On the picture" }).last().click();
  await expect(viewer().locator("[data-noise]").last()).toBeInViewport(patient);
  await expect(page).toHaveURL(/at=1.*noise=1|noise=1.*at=1/);
});

test("'Why' tells what became of each difference, and which channels were told", async () => {
  await open();
  const why = panel()
    .locator("section", { has: page.getByRole("heading", { name: "Why" }) })
    .first();
  await expect(why.getByText("a time or date").first()).toBeVisible(patient);
  await expect(why.getByText("Buy two lamps")).toBeVisible(patient);
  await expect(why.getByText(".ad", { exact: true })).toBeVisible();
  await expect(why.getByText("not told: not in your plan").first()).toBeVisible();
  await expect(why.getByText("E-mail")).toBeVisible();
});

test("noise marked and undone", async () => {
  await open();
  await panel().getByRole("button", { name: "This is noise" }).first().click();
  await expect(panel().getByText("noise from the next check on")).toBeVisible(patient);
  draw("api3.acme.example", 9, "Buy six lamps");
  expect(await check()).toMatchObject({ changed: false });
  await page.goto(`${product.url}/dashboard?view=jobs&job=${jobId}&dialog=settings`);
  const settings = page.getByRole("dialog", { name: "Job Settings" });
  await expect(settings.getByText("You called it noise")).toBeVisible(patient);
  await expectSound(page);
  await settings.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(settings.getByText("You called it noise")).toBeHidden(patient);
});

test("what was ignored is told once it is asked for", async () => {
  await open();
  const tell = panel().getByRole("button", { name: "Tell me of this" });
  await expect(tell.first()).toBeVisible(patient);
  await panel()
    .locator("li", { hasText: "Updated 9 minutes ago" })
    .getByRole("button", { name: "Tell me of this" })
    .click();
  await expect(panel().getByText("told from the next check on").first()).toBeVisible(patient);
});

test("a label of the menu waits for the next check, and the viewer says so", async () => {
  watching.site.page.banner = menu("Start", "Programmes", "Guides");
  const seen = await check();
  expect(seen).toMatchObject({ changed: true });
  const address = `${product.url}/dashboard?view=jobs&job=${jobId}&execution=${seen.id}`;
  await page.goto(address);
  await expect(panel().getByText("Changed, told when seen again")).toBeVisible(patient);
  await expect(panel().getByRole("heading", { name: "Told when seen again", exact: true })).toBeVisible();
  const waiting = "In the notifications; by the channels if the next check sees it again.";
  await expect(panel().getByText(waiting)).toBeVisible();
  await expectSound(page);
  await look(page, "waits");
  // That the second check sends the alert is in src/alerts/often.db.test.ts; here the viewer says so.
  if (!isLong) return;
  expect(await check()).toMatchObject({ changed: false });
  await page.goto(address);
  await expect(panel().getByText("E-mail")).toBeVisible(patient);
  await expect(panel().getByText(waiting)).toBeHidden();
});
