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
type Member = { role: Role; child: ChildProcess; said: string };

/** Several processes of each role on one PostgreSQL and one store, each started again when it ends. */
export async function startCluster(roles: Role[], environment: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-faults-"));
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder);
  const members: Member[] = [];
  let stopping = false;

  async function run(at: number, role: Role): Promise<void> {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "src/server/main.ts"], {
      env: {
        PATH: process.env.PATH,
        ...(process.env.CHROMIUM_PATH && { CHROMIUM_PATH: process.env.CHROMIUM_PATH }),
        ROLE: role,
        PORT: role === "api" ? String(await freePort()) : "0",
        DATA_DIR: join(folder, `${role}-${at}`),
        MAIL_DIR: join(folder, "mails"),
        DATABASE_URL: postgres.connectionString.replace("@/", "@localhost/"),
        EGRESS_ALLOW: "127.0.0.0/8",
        SESSION_SECRET: "0123456789abcdef0123456789abcdef",
        DATA_KEY: "fedcba9876543210fedcba9876543210",
        LOG_LEVEL: "error",
        ...environment,
      },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const member = { role, child, said: "" };
    members[at] = member;
    child.stdout.on("data", (chunk) => (member.said = `${member.said}${String(chunk)}`.slice(-2000)));
    child.once("exit", () => {
      if (!stopping) setTimeout(() => void run(at, role), 500);
    });
  }
  for (const [at, role] of roles.entries()) {
    await run(at, role);
    // The first migrates.
    if (at === 0) await until(() => members[0]?.said.includes("Stop it with") ?? false);
  }
  await until(() => members.every(({ said }) => said.includes("Stop it with")));

  const childrenOf = (parent: number): number[] => {
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const parents = new Map(all.map((pid) => [Number(pid), parentOf(pid)]));
    const below = (pid: number): number[] =>
      [...parents].filter(([, of]) => of === pid).flatMap(([child]) => [child, ...below(child)]);
    return below(parent);
  };
  const kill = (pid: number | undefined, signal: NodeJS.Signals = "SIGKILL") => {
    try {
      if (pid) process.kill(pid, signal);
      return Boolean(pid);
    } catch {
      return false;
    }
  };
  const postmaster = () =>
    Number(readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0]);

  return {
    connectionString: postgres.connectionString,
    folder,
    members,
    kill: {
      role(role: Role) {
        const some = members.filter((member) => member.role === role);
        return kill(some[Math.floor(Math.random() * some.length)]?.child.pid);
      },
      chromium() {
        const workers = members.filter(({ role }) => role === "worker");
        const browsers = workers.flatMap(({ child }) => childrenOf(child.pid ?? 0));
        return kill(browsers[Math.floor(Math.random() * browsers.length)]);
      },
      postgres: () => kill(postmaster()),
    },
    restartPostgres: () => kill(postmaster(), "SIGINT"),
    memoryOf: (member: Member) =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member.child.pid}/status`, "utf8"))?.[1]) / 1024,
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

function parentOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ")[1]);
  } catch {
    return 0;
  }
}

export async function until(is: () => boolean | Promise<boolean>, seconds = 120): Promise<void> {
  for (let i = 0; i < seconds * 10; i++) {
    if (await is()) return;
    await sleep(100);
  }
  throw new Error("it did not happen");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
