import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { awaitDatabase } from "../await-database.ts";

/** The folder with PostgreSQL's programs in this version, where Debian installs them; undefined if there is none. */
export function findSystemPostgres(version: number): string | undefined {
  const folder = `/usr/lib/postgresql/${version}/bin`;
  return existsSync(join(folder, "initdb")) ? folder : undefined;
}

/** Starts a PostgreSQL with its own data, reached by a socket. */
export async function startSystemPostgres(
  binaries: string,
): Promise<{ connectionString: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "wg-pg-"));
  const identity = process.getuid?.() === 0 ? userOf("postgres") : undefined;
  if (identity) await chown(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder, env: { LC_ALL: "C" } };
  const data = join(folder, "data");
  await promisify(execFile)(
    join(binaries, "initdb"),
    ["-D", data, "-U", "watchglass", "--auth=trust", "--encoding=UTF8", "--no-sync"],
    options,
  );
  const settings = ["listen_addresses=", "fsync=off", "max_connections=60"].flatMap((setting) => [
    "-c",
    setting,
  ]);
  const child = spawn(join(binaries, "postgres"), ["-D", data, "-k", folder, ...settings], {
    ...options,
    stdio: "ignore",
  });
  const ended = new Promise((done) => child.once("exit", done));
  const connectionString = `postgres://watchglass@/postgres?host=${encodeURIComponent(folder)}`;
  await awaitDatabase(connectionString);
  return {
    connectionString,
    async stop() {
      child.kill("SIGQUIT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function userOf(name: string): { uid: number; gid: number } {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
