import { removeDataDir, startProduct } from "./product.ts";

/** Starts the product once to create its data; every other start begins with a copy of it. */
export default async function makeDataDir(): Promise<() => Promise<void>> {
  const product = await startProduct();
  await product.stop();
  process.env.E2E_DATA_DIR = product.dataDir;
  return () => removeDataDir(product.dataDir);
}
