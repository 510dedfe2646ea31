import { randomUUID } from "node:crypto";
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type BlobBackend, isBlobKey } from "./blob-backend.ts";

const abandonedAfterMs = 60 * 60_000;

/** Blobs as files below `folder`. A file is complete or absent: it is written elsewhere, synced, then renamed. */
export async function openDiskBlobs(folder: string): Promise<BlobBackend> {
  const temporaryFolder = join(folder, "tmp");
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  await deleteAbandoned(temporaryFolder);

  async function writeTemporary(bytes: Uint8Array, brief = false): Promise<string> {
    const path = join(temporaryFolder, randomUUID());
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      if (!brief) await file.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return path;
  }

  return {
    async write(key, bytes, brief) {
      const path = join(folder, key);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const temporary = await writeTemporary(bytes, brief);
      try {
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      if (!brief) await syncFolders(dirname(path), made ? folder : dirname(path));
    },
    async read(key) {
      return readFile(join(folder, key)).catch(nullIfMissing);
    },
    async sizeOf(key) {
      return (await stat(join(folder, key)).catch(nullIfMissing))?.size ?? null;
    },
    async remove(key) {
      await rm(join(folder, key), { force: true });
    },
    async removeBelow(prefix) {
      await rm(join(folder, prefix), { recursive: true, force: true });
    },
    async probe() {
      await rm(await writeTemporary(Buffer.alloc(4096)));
    },
    async *list() {
      for await (const entry of await opendir(folder, { recursive: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const key = relative(folder, path);
        const info = isBlobKey(key) ? await stat(path).catch(nullIfMissing) : null;
        if (info) yield { key, bytes: info.size, changedAt: info.mtime };
      }
    },
  };
}

/** A rename survives a power cut only once its folder is synced, and a new folder once its parent is. */
async function syncFolders(from: string, upTo: string): Promise<void> {
  for (let path = from; ; path = dirname(path)) {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (path === upTo) return;
  }
}

/** Deletes what killed processes left half-written; younger files may belong to a running process. */
async function deleteAbandoned(temporaryFolder: string): Promise<void> {
  for (const name of await readdir(temporaryFolder)) {
    const path = join(temporaryFolder, name);
    const info = await stat(path).catch(nullIfMissing);
    if (info && Date.now() - info.mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
