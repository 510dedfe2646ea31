import { rmSync } from "node:fs";
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const prefix = "watchglass-capture-";

/** Creates the browsers' folder, reachable by the browser's user; folders that dead workers left are removed first. */
export async function openWorkspace(
  uid: number | undefined,
): Promise<{ folder: string; close(): Promise<void> }> {
  const parent = await reachable(tmpdir(), uid, "/tmp");
  await removeLeftovers(parent, uid);
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  // Nobody else can list it, but the browser's user can enter it.
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

/** The folder, or `otherwise` if it is inside a private folder that the browser's user can't enter. */
export async function reachable(folder: string, uid: number | undefined, otherwise: string): Promise<string> {
  if (uid === undefined) return folder;
  for (let path = resolve(folder); path !== "/"; path = dirname(path)) {
    const found = await lstat(path).catch(() => null);
    if (found && (found.mode & 0o001) === 0) return otherwise;
  }
  return folder;
}

async function removeLeftovers(parent: string, uid: number | undefined): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const path = join(parent, name);
    const found = await lstat(path).catch(() => null);
    const isOurs = found && (found.uid === process.getuid?.() || found.uid === uid);
    if (isOurs) await rm(path, { recursive: true, force: true });
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
