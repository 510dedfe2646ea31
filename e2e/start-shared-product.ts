import { removeDataDir, startProduct } from "./product.ts";

/** Starts the product that all tests share: a start takes longer than most tests. Playwright needs a default export. */
export default async function startSharedProduct(): Promise<() => Promise<void>> {
  const product = await startProduct({
    // Watched sites, triggers and channels of the tests are all on loopback.
    EGRESS_ALLOW: "127.0.0.0/8",
    JURISDICTION: "Ruritania",
    SUPPORT_EMAIL: "help@ruritania.example",
  });
  process.env.E2E_SHARED_PRODUCT = JSON.stringify({ url: product.url, dataDir: product.dataDir });
  return async () => {
    await product.stop();
    await removeDataDir(product.dataDir);
  };
}
