import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { access, chmod, lstat, mkdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

/**
 * Unpacks @sparticuz/chromium, which npm ships for Linux on x64 only. Its own unpacking trusts whatever is in the
 * shared temporary folder; this one writes to a folder of ours and moves the complete result into place.
 */
export async function unpackNpmChromium(
  cacheDir: string,
  machine: string = `${process.platform}-${process.arch}`,
): Promise<{ path: string; libraries: string } | undefined> {
  if (machine !== "linux-x64") return undefined;
  const home = packageHome();
  if (home === undefined) return undefined;
  const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as { version: string };
  const target = join(cacheDir, `chromium-${version}`);
  const found = { path: join(target, "chromium"), libraries: join(target, "al2023", "lib") };
  await mkdir(cacheDir, { recursive: true, mode: 0o755 });
  await assertOurs(cacheDir);
  if (await exists(found.path)) return found;
  const draft = join(cacheDir, `.chromium-${version}-${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(join(draft, "al2023"), { recursive: true, mode: 0o755 });
  await pipeline(
    createReadStream(join(home, "bin", "chromium.br")),
    createBrotliDecompress(),
    createWriteStream(join(draft, "chromium"), { mode: 0o755 }),
  );
  // Libraries (NSS and friends) that a bare system lacks.
  await untar(join(home, "bin", "al2023.tar.br"), join(draft, "al2023"));
  await chmod(join(draft, "chromium"), 0o755);
  // A parallel start may have been faster; both drafts have the same content.
  await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }));
  return found;
}

function packageHome(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
  } catch {
    return undefined;
  }
}

async function assertOurs(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder);
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) {
    throw new Error(`Others can write to ${folder}; the browser will not be unpacked there.`);
  }
}

async function untar(archive: string, folder: string): Promise<void> {
  const tar = spawn("tar", ["-x", "-C", folder], { stdio: ["pipe", "ignore", "inherit"] });
  const closed = once(tar, "close");
  // tar stops reading at the archive's end mark, before the padding; its exit code is what counts.
  await pipeline(createReadStream(archive), createBrotliDecompress(), tar.stdin).catch(() => {});
  const [code] = await closed;
  if (code !== 0) throw new Error("The browser's libraries could not be unpacked.");
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
