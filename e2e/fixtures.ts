import { test as base } from "@playwright/test";
import { type Product, removeDataDir, startProduct } from "./product.ts";

/**
 * The tests of every spec file. `product` is one running product per Playwright worker: a start costs more than most
 * tests. Whatever a file leaves in it stays there for the next one, so each file makes its own accounts. A file whose
 * subject is the start, a kill, or a setting that others can't live with starts a product of its own, but takes `test`
 * from here all the same: Playwright starts a new worker, and so a new product, for files with other fixtures.
 */
export const test = base.extend<object, { product: Product }>({
  product: [
    // Playwright reads the pattern to learn which fixtures this one needs.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const product = await startProduct({
        // Watched sites, triggers and channels of the tests are all on loopback.
        EGRESS_ALLOW: "127.0.0.0/8",
        JURISDICTION: "Ruritania",
        SUPPORT_EMAIL: "help@ruritania.example",
      });
      await use(product);
      await product.stop();
      await removeDataDir(product.dataDir);
    },
    { scope: "worker", timeout: 240_000 },
  ],
});
