import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "./start-error.ts";

/** Creates the folder in which the embedded defaults store everything, and proves that it is writable. */
export async function prepareDataDir(path: string): Promise<string> {
  const folder = resolve(path);
  try {
    await mkdir(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const probe = await open(join(folder, ".writable"), "w");
    await probe.close();
    // Another Watchglass process may have removed it already.
    await rm(join(folder, ".writable"), { force: true });
  } catch (error) {
    throw new StartError(`DATA_DIR ${folder} is not writable (${(error as NodeJS.ErrnoException).code}).`);
  }
  return folder;
}

/** Locks DATA_DIR for one Watchglass. SQLite's file lock is the only lock in Node that the system frees on kill -9. */
export function lockDataDir(folder: string): { close(): void } {
  const lock = new DatabaseSync(join(folder, "lock"));
  try {
    lock.exec("pragma locking_mode = exclusive; begin exclusive");
  } catch {
    lock.close();
    throw new StartError(`DATA_DIR ${folder} is in use by another Watchglass; stop it or set DATA_DIR.`);
  }
  return { close: () => lock.close() };
}

/** Reads a secret of this installation; creates it the first time. Only the file's owner can read it. */
export async function keepSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(randomBytes(48).toString("base64url"));
    await file.sync();
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await chmod(path, 0o600);
  }
  const secret = (await readFile(path, "utf8")).trim();
  if (secret.length < 32) throw new StartError(`${path} is damaged: it must hold at least 32 characters.`);
  return secret;
}
