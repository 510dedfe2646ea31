import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("a thread uses the compile cache of an earlier one, even if that process was killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-compiled-"));
  const threads = new URL("./open-threads.ts", import.meta.url).href;
  const script = `
    const { packPicture } = await import(${JSON.stringify(threads)});
    await packPicture({ width: 1, height: 1, channels: 3, data: new Uint8Array(3) });
    process.kill(process.pid, "SIGKILL");
  `;
  const env = { ...process.env, NODE_COMPILE_CACHE: folder, NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
  const killed = () =>
    run(process.execPath, ["--input-type=module", "-e", script], { env, maxBuffer: 2 ** 26 }).catch(
      ({ signal, stderr }: { signal: string; stderr: string }) => ({ signal, stderr }),
    );
  const cacheHit = /transpile cache for StrippedTypeScript \S+images\/thread\.ts\.\.\.success/;
  const first = await killed();
  const second = await killed();
  expect(first).toEqual({ signal: "SIGKILL", stderr: expect.not.stringMatching(cacheHit) });
  expect(second).toEqual({ signal: "SIGKILL", stderr: expect.stringMatching(cacheHit) });
  await rm(folder, { recursive: true });
});
