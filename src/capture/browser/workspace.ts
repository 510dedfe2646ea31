import { rmSync } from "node:fs";
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "watchglass-capture-";

/** A folder for browsers to live in, reachable by the browser's user; what dead workers left is swept first. */
export async function openWorkspace(
  uid: number | undefined,
): Promise<{ folder: string; close(): Promise<void> }> {
  const parent = await reachable(tmpdir(), uid);
  await sweep(parent);
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  // Listed by nobody, entered by the browser's user.
  await chmod(folder, uid === undefined ? 0o700 : 0o711);
  const cache = join(folder, "font-cache");
  await mkdir(cache, { mode: 0o700 });
  if (uid !== undefined) await chown(cache, uid, uid);
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeNow);
  return {
    folder,
    async close() {
      process.off("exit", removeNow);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** A temporary folder inside a private home is out of another user's reach. */
async function reachable(folder: string, uid: number | undefined): Promise<string> {
  if (uid === undefined) return folder;
  for (let path = folder; path !== "/"; path = join(path, "..")) {
    if (((await lstat(path)).mode & 0o001) === 0) return "/tmp";
  }
  return folder;
}

async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const path = join(parent, name);
    if ((await lstat(path)).uid === process.getuid?.()) await rm(path, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
