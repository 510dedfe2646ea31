import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";

type Row = { pid: number; parent: number; command: string };

/** All descendants of a process, with their command lines. */
async function listDescendants(root: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    rows.push({ pid: Number(name), parent, command: command.replaceAll("\0", " ") });
  }
  const descendants = new Set([root]);
  for (let size = 0; size !== descendants.size; ) {
    size = descendants.size;
    for (const row of rows) if (descendants.has(row.parent)) descendants.add(row.pid);
  }
  descendants.delete(root);
  return rows.filter((row) => descendants.has(row.pid));
}

/** Kills one process of the browser's tree without warning: the whole browser, a page or a helper. */
export async function killOne(index: number): Promise<string> {
  const rows = (await listDescendants(process.pid)).filter(({ command }) => command.includes("chrom"));
  const kinds = [
    rows.filter((row) => row.command.includes("--type=renderer")),
    rows.filter((row) => row.parent === process.pid),
    rows.filter((row) => row.command.includes("--type=utility")),
    rows.filter((row) => !row.command.includes("--type=") && row.parent !== process.pid),
  ];
  const candidates = kinds[index % kinds.length] ?? [];
  const victim = candidates[Math.floor(Math.random() * candidates.length)];
  if (!victim) return "none";
  try {
    process.kill(victim.pid, "SIGKILL");
  } catch {
    return "none";
  }
  return ["page", "supervisor", "helper", "browser"][index % kinds.length] ?? "none";
}

/** Counts browser processes that belong to no running worker: a kill must never leave any. */
export async function orphans(): Promise<number> {
  let count = 0;
  for (const name of await readdir("/proc")) {
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (command.includes(`watchglass-capture-${process.pid}-`)) count += 1;
  }
  return count;
}

/** Temporary folders of capture/ that still exist. */
export async function temporaryFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`watchglass-capture-${process.pid}-`));
}
