import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

/** A running product. */
export type Product = { url: string; dataDir: string };

/** A product that a test started itself, and so may stop. */
export type OwnProduct = Product & {
  /** Everything printed so far. */
  output(): string;
  /** Sends SIGTERM, as an operator would; returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL (kill -9) to the process and everything it started. */
  kill(): Promise<void>;
  process: ChildProcess;
};

/** Starts the built product as `npm start` does and waits until it prints its URL. */
export async function startProduct(env: Record<string, string> = {}): Promise<OwnProduct> {
  const port = env.PORT ?? String(await freePort());
  const dataDir = env.DATA_DIR ?? (await makeDataDir());
  const run = runProduct({
    SIGN_UP_PER_HOUR: "10000",
    RATE_LIMIT_PER_MINUTE: "100000",
    LOG_LEVEL: "warn",
    ...env,
    PORT: port,
    DATA_DIR: dataDir,
  });
  const url = await new Promise<string>((resolve, reject) => {
    run.process.stdout?.on("data", () => {
      const found = /Watchglass is at +(\S+)/.exec(run.output())?.[1];
      if (found) resolve(found);
    });
    run.process.on("exit", (code) => reject(new Error(`the product ended with ${code}: ${run.output()}`)));
  });
  const ended = new Promise<number | null>((resolve) => run.process.once("exit", resolve));
  return {
    ...run,
    url,
    dataDir,
    async stop() {
      run.process.kill("SIGTERM");
      return ended;
    },
    async kill() {
      const pids = [run.process.pid ?? 0, ...(await descendants(run.process.pid ?? 0))];
      for (const pid of pids) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {}
      }
      await ended;
    },
  };
}

/** Runs `npm start`'s command and collects what it prints. */
export function runProduct(env: Record<string, string>) {
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...inherited } = process.env;
  const child = spawn("sh", ["-c", manifest.scripts.start], {
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return { process: child as ChildProcess, output: () => output };
}

/** Starts the product, expecting it to fail, and waits until it has ended. */
export async function failToStart(
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const run = runProduct(env);
  const code = await new Promise<number | null>((resolve) => run.process.once("close", resolve));
  return { code, output: run.output() };
}

/** The ids of all processes that a process started, directly or not. */
export async function descendants(pid: number): Promise<number[]> {
  const parents: [number, number][] = [];
  for (const name of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))) {
    const line = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = /\) \S (\d+)/.exec(line)?.[1];
    if (parent) parents.push([Number(name), Number(parent)]);
  }
  const found: number[] = [];
  const pending = [pid];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const children = parents.filter(([, ppid]) => ppid === parent).map(([child]) => child);
    found.push(...children);
    pending.push(...children);
  }
  return found;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Creates a folder that PostgreSQL's own user can reach, like a DATA_DIR that the product creates. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-e2e-"));
  await chmod(folder, 0o711);
  return folder;
}

export async function removeDataDir(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
