import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Rechecks a second of Debian's urlwatch over the same URLs; null where it is not installed. */
export async function urlwatchRate(urls: string[]): Promise<number | null> {
  const folder = await mkdtemp(join(tmpdir(), "urlwatch-"));
  try {
    await writeFile(join(folder, "urls.yaml"), urls.map((url) => `url: ${url}\n`).join("---\n"));
    const args = [
      "--urls",
      join(folder, "urls.yaml"),
      "--config",
      join(folder, "config.yaml"),
      "--cache",
      join(folder, "cache.db"),
    ];
    const env = { ...process.env, HOME: folder };
    const limits = { env, maxBuffer: 2 ** 26, timeout: 300_000 };
    await run("urlwatch", args, limits);
    const rates: number[] = [];
    for (let round = 0; round < 3; round++) {
      const started = performance.now();
      await run("urlwatch", args, limits);
      rates.push((urls.length / (performance.now() - started)) * 1_000);
    }
    return rates.sort((a, b) => a - b)[1] ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
