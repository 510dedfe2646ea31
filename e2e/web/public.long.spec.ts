// The documentation of the API, which has more elements than all our screens together.
import { expect } from "@playwright/test";
import { test } from "../fixtures.ts";
import { expectAccessible, look } from "./visitor.ts";

test("the documentation of the API is accessible, and shows a call when it is opened", async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/api/docs`);
  const call = page.locator(".opblock").first();
  await expect(call).toBeVisible();
  await call.getByRole("button").first().click();
  await expect(call.locator(".opblock-body")).toBeVisible();
  await look(page, "api-docs");
  await expectAccessible(page);
});
