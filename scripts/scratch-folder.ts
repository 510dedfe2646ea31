import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

// A whole run writes up to 3 GB, most of it copies of the test database; the programs that are tested need memory, too.
const neededBytes = 6e9;
const neededMemory = 14e9;

/**
 * A folder in memory for the temporary files of the tests, if the system has room for it there. Each copy of the test
 * database is some 1,400 files, and creating and removing files costs far more processor time on a disk.
 */
export function openScratchFolder(inMemory = "/dev/shm", memory = freemem()): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    if (bavail * bsize < neededBytes || memory < neededMemory) return undefined;
    const folder = mkdtempSync(join(inMemory, "watchglass-tests-"));
    // The browser and PostgreSQL run as users of their own, as in /tmp.
    chmodSync(folder, 0o1777);
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    // Only Linux has the folder, and a container may not be allowed to write to it.
    return undefined;
  }
}
