// Brings the programs that the files of ops/ are tested with: nginx, PgBouncer and promtool, from Debian's packages. They
// are unpacked, not installed: nothing on the machine changes, and nothing is started.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

// Releases of Debian name some packages differently: the first one that exists is taken.
const packages = [
  ["pgbouncer"],
  ["promtool", "prometheus"],
  ["libc-ares2", "libcares2"],
  ["libevent-2.1-7", "libevent-2.1-7t64"],
];
const programs = ["usr/sbin/nginx", "usr/sbin/pgbouncer", "usr/bin/promtool"];

const run = (cwd: string, seconds: number, command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd, stdio: "ignore", timeout: seconds * 1000 }).status === 0;

/** Returns the folder of the programs, or undefined where they can't be had; then their tests are skipped. */
export function fetchOpsTools(folder: string): string | undefined {
  const bin = join(resolve(folder), "bin");
  if (existsSync(bin)) return bin;
  if (!existsSync("/etc/debian_version")) return undefined;
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(join(fresh, "bin"), { recursive: true });
  const download = (names: string[]) => names.some((name) => run(fresh, 120, "apt-get", "download", name));
  // The first one is small: without a network this ends soon.
  const isReached = () => run(fresh, 20, "apt-get", "download", "nginx");
  if (!isReached() && !(process.getuid?.() === 0 && run(fresh, 60, "apt-get", "update") && isReached()))
    return undefined;
  if (!packages.every(download)) return undefined;
  for (const file of readdirSync(fresh).filter((name) => name.endsWith(".deb")))
    if (!run(fresh, 60, "dpkg", "-x", file, "root")) return undefined;
  const root = join(resolve(folder), "root");
  for (const program of programs) {
    const file = join(fresh, "bin", program.split("/").at(-1) ?? "");
    const libraries = `LD_LIBRARY_PATH=$(echo ${root}/usr/lib/*-linux-gnu)`;
    writeFileSync(file, `#!/bin/sh\nexec env "${libraries}" ${root}/${program} "$@"\n`);
    chmodSync(file, 0o755);
  }
  renameSync(fresh, folder);
  return bin;
}
