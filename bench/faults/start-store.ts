import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Starts an S3 server, on its own disk if one may be mounted. */
export async function startStore() {
  const disk = mkdtempSync(join(tmpdir(), "watchglass-store-"));
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=512m", "tmpfs", disk]).status === 0;
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  await new Promise((done) => probe.close(done));
  let child: ChildProcess | undefined;
  let isWanted = true;

  /** The server also ends when its disk is full; it is restarted as a supervisor would. */
  async function start(): Promise<void> {
    const started = spawn(process.execPath, [join(import.meta.dirname, "store.ts"), disk, String(port)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    child = started;
    started.once("exit", () => {
      setTimeout(() => {
        if (isWanted && child === started) void start();
      }, 1_000);
    });
    await Promise.race([once(started.stdout, "data"), once(started, "exit")]);
  }
  await start();
  function close(): void {
    isWanted = false;
    child?.kill("SIGKILL");
    if (isMounted) spawnSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true, force: true });
  }
  process.once("exit", close);
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return {
    url: `s3://S3RVER:S3RVER@captures?endpoint=${endpoint}`,
    isMounted,
    async fill(ms: number): Promise<void> {
      const filler = join(disk, "filler");
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(4_000_000));
      } catch {
        await sleep(ms);
      }
      rmSync(filler, { force: true });
    },
    async release(ms: number): Promise<void> {
      isWanted = false;
      child?.kill("SIGKILL");
      await sleep(ms);
      isWanted = true;
      await start();
    },
    close,
  };
}
