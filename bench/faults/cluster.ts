import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";

export type Role = "api" | "scheduler" | "worker";
type Member = { role: Role; port: number; child: ChildProcess; isStarted: boolean };

const root = join(import.meta.dirname, "../..");

/** Several processes of each role on one PostgreSQL and one store; each is restarted when it ends. */
export async function startCluster(
  roles: Role[],
  environment: Record<string, string>,
  program = "src/server/main.ts",
) {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-faults-"));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder);
  const members: Member[] = [];
  const errors: string[] = [];
  let stopping = false;

  function run(index: number, role: Role, port: number): void {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        ...(process.env.CHROMIUM_PATH && { CHROMIUM_PATH: process.env.CHROMIUM_PATH }),
        // As `npm start` does: starts after the first one are faster.
        NODE_COMPILE_CACHE: join(root, "node_modules/.cache/watchglass/compiled"),
        ROLE: role,
        PORT: String(port),
        METRICS_PORT: String(port),
        DATA_DIR: join(folder, `${role}-${index}`),
        DATABASE_URL: postgres.connectionString.replace("@/", "@localhost/"),
        EGRESS_ALLOW: "127.0.0.0/8",
        SESSION_SECRET: "0123456789abcdef0123456789abcdef",
        DATA_KEY: "fedcba9876543210fedcba9876543210",
        LOG_LEVEL: "fatal",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const member = { role, port, child, isStarted: false };
    members[index] = member;
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("Stop it with")) member.isStarted = true;
    });
    // A process that ends without being killed is a finding.
    let errorOutput = "";
    child.stderr.on("data", (chunk) => (errorOutput = `${errorOutput}${String(chunk)}`.slice(-2000)));
    child.once("exit", (code, signal) => {
      if (stopping) return;
      if (signal !== "SIGKILL")
        errors.push(`${role} ended unexpectedly (${signal ?? code}): ${errorOutput.trim()}`);
      setTimeout(() => {
        if (!stopping) run(index, role, port);
      }, 500);
    });
  }
  // An aborted run leaves no process behind.
  process.once("exit", () => {
    for (const { child } of members) child.kill("SIGKILL");
  });
  for (const [index, role] of roles.entries()) {
    run(index, role, await freePort());
    // The first process migrates the database.
    if (index === 0) await until("the first start", () => members[0]?.isStarted ?? false);
  }
  await until(
    "all starts",
    () => members.every(({ isStarted }) => isStarted),
    120,
    () => errors.at(-1),
  );

  const kill = (pid: number | undefined, signal: NodeJS.Signals = "SIGKILL") => {
    try {
      if (pid) process.kill(pid, signal);
      return Boolean(pid);
    } catch {
      return false;
    }
  };
  const postmaster = () => {
    try {
      return Number(readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
    } catch {
      return undefined;
    }
  };

  return {
    connectionString: postgres.connectionString,
    members,
    /** Error output of the processes that ended without being killed. */
    errors,
    /** Whether each process reports that it is ready. */
    ready: () => Promise.all(members.map(({ port }) => isReady(port))),
    /** Each function returns whether there was a process to kill. */
    kill: {
      role(role: Role) {
        return kill(
          pickRandom(members.filter((member) => member.role === role && member.isStarted))?.child.pid,
        );
      },
      chromium() {
        const workers = members.filter(({ role }) => role === "worker");
        return kill(pickRandom(workers.flatMap(({ child }) => descendantsOf(child.pid ?? 0))));
      },
      postgres: () => kill(postmaster()),
    },
    restartPostgres: () => kill(postmaster(), "SIGINT"),
    async close() {
      stopping = true;
      for (const { child } of members) child.kill("SIGTERM");
      await Promise.all(
        members
          .filter(({ child }) => child.exitCode === null && child.signalCode === null)
          .map(({ child }) => once(child, "exit")),
      );
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const pickRandom = <T>(list: T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

/** All descendants of a process. */
function descendantsOf(pid: number): number[] {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), parentOf(name)]));
  const descend = (ancestor: number): number[] =>
    [...parents].filter(([, parent]) => parent === ancestor).flatMap(([child]) => [child, ...descend(child)]);
  return descend(pid);
}

function parentOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ")[1]);
  } catch {
    return 0;
  }
}

export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  seconds = 120,
  describeProblem: () => string | undefined = () => undefined,
): Promise<void> {
  for (let i = 0; i < seconds * 10; i++) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error(
    [`${what}: did not happen within ${seconds} s`, describeProblem()].filter(Boolean).join(": "),
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
