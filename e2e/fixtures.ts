import { test as base } from "@playwright/test";
import type { Product } from "./product.ts";

/**
 * The tests of every spec file. `product` is the one running product that start-shared-product.ts started for all of
 * them. Whatever a file leaves in it stays there for the others, so each file makes its own accounts. A file about
 * the start, a kill, or a setting that other files can't run with starts its own product, but takes `test` from here
 * all the same: Playwright starts a new worker, and so a new browser, for files with other fixtures.
 */
export const test = base.extend<object, { product: Product }>({
  product: [
    // Playwright reads the pattern to learn which fixtures this one needs.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await use(JSON.parse(process.env.E2E_SHARED_PRODUCT ?? "") as Product);
    },
    { scope: "worker" },
  ],
});
