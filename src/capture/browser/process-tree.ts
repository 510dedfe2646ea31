import { readdir, readFile } from "node:fs/promises";

export type ProcessInfo = { pid: number; parent: number; rss: number; renderer: boolean };

/** Every process below (and with) this one, from /proc; empty where there is none. */
export async function processTree(root: number): Promise<ProcessInfo[]> {
  const tree: Pick<ProcessInfo, "pid" | "parent">[] = [];
  const rows = await allProcesses();
  const byParent = Map.groupBy(rows, (row) => row.parent);
  const pending = rows.filter((row) => row.pid === root);
  for (let row = pending.pop(); row; row = pending.pop()) {
    tree.push(row);
    pending.push(...(byParent.get(row.pid) ?? []));
  }
  return Promise.all(
    tree.map(async ({ pid, parent }) => {
      const status = await read(`/proc/${pid}/status`);
      const renderer = (await read(`/proc/${pid}/cmdline`)).includes("--type=renderer");
      return { pid, parent, renderer, rss: Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) * 1024 };
    }),
  );
}

/** Ends the whole tree without asking; what it cannot see in /proc is reached through the process group. */
export async function killTree(root: number): Promise<void> {
  const below = (await processTree(root)).map((row) => row.pid).filter((pid) => pid !== root);
  for (const pid of below) end(pid);
  // The supervisor follows its child, and must get to see it off, or a dead process stays in the table.
  if (below.length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const pid of [-root, root]) end(pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone, which is what was wanted.
  }
}

async function allProcesses(): Promise<Pick<ProcessInfo, "pid" | "parent">[]> {
  const names = await readdir("/proc").catch(() => []);
  const rows = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => read(`/proc/${name}/stat`)),
  );
  return rows.flatMap((stat) => {
    const pid = Number.parseInt(stat, 10);
    if (Number.isNaN(pid)) return [];
    // The second field is the command in brackets and may itself hold spaces and brackets.
    return [{ pid, parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) }];
  });
}

function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
