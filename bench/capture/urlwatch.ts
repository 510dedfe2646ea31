import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Debian's urlwatch after a first check of all URLs; null if it isn't installed. */
export async function openUrlwatch(urls: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "urlwatch-"));
  const close = () => rm(folder, { recursive: true, force: true });
  await writeFile(join(folder, "urls.yaml"), urls.map((url) => `url: ${url}\n`).join("---\n"));
  const files = { urls: "urls.yaml", config: "config.yaml", cache: "cache.db" };
  const args = Object.entries(files).flatMap(([option, file]) => [`--${option}`, join(folder, file)]);
  const limits = { env: { ...process.env, HOME: folder }, maxBuffer: 2 ** 26, timeout: 300_000 };
  /** Checks all URLs again and returns the checks per second. */
  const recheck = async () => {
    const started = performance.now();
    await run("urlwatch", args, limits);
    return (urls.length / (performance.now() - started)) * 1_000;
  };
  try {
    await recheck();
    return { recheck, close };
  } catch (error) {
    await close();
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
