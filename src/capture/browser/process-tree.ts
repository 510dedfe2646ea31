import { existsSync, readdirSync, readFileSync } from "node:fs";

export type ProcessInfo = { pid: number; parent: number; rss: number; renderer: boolean; cpuMs: number };

const msPerTick = 10;

/** Whose child each process was when it was first seen. */
export type Parents = Map<number, number>;

/**
 * Every process below (and with) this one, from /proc; empty where there is none. Who looks often hands in the parents
 * that it knows from before: of a whole machine's processes only the new ones are read then.
 */
export function processTree(root: number, known: Parents = new Map()): ProcessInfo[] {
  const tree: Pick<ProcessInfo, "pid" | "parent">[] = [];
  const rows = allProcesses(known);
  const byParent = Map.groupBy(rows, (row) => row.parent);
  const pending = rows.filter((row) => row.pid === root);
  for (let row = pending.pop(); row; row = pending.pop()) {
    tree.push(row);
    pending.push(...(byParent.get(row.pid) ?? []));
  }
  return tree.map(({ pid, parent }) => {
    const status = read(`/proc/${pid}/status`);
    const renderer = read(`/proc/${pid}/cmdline`).includes("--type=renderer");
    const [user, system] = fieldsOf(pid).slice(11, 13).map(Number);
    const cpuMs = ((user ?? 0) + (system ?? 0)) * msPerTick;
    return { pid, parent, renderer, cpuMs, rss: Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) * 1024 };
  });
}

/** The numbers of a process's threads, its own among them. */
export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** Ends the whole tree without asking; what it cannot see in /proc is reached through the process group. */
export async function killTree(root: number): Promise<void> {
  const below = processTree(root)
    .map((row) => row.pid)
    .filter((pid) => pid !== root);
  for (const pid of below) end(pid);
  // The supervisor follows its child, and must get to see it off, or a dead process stays in the table.
  if (below.length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const pid of [-root, root]) end(pid);
}

/** Ends a process, or with a negative number all of its group. */
export function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone, which is what was wanted.
  }
}

function allProcesses(known: Parents): Pick<ProcessInfo, "pid" | "parent">[] {
  const names = existsSync("/proc") ? readdirSync("/proc") : [];
  const there = new Set(names.map(Number).filter((pid) => pid > 0));
  for (const pid of known.keys()) if (!there.has(pid)) known.delete(pid);
  for (const pid of there) {
    if (known.has(pid)) continue;
    const fields = fieldsOf(pid);
    if (fields.length > 1) known.set(pid, Number(fields[1]));
  }
  return [...known].map(([pid, parent]) => ({ pid, parent }));
}

/** From the third on: the second is the command in brackets and may itself hold spaces and brackets. */
function fieldsOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** No disk is waited for, and the thread pool's way to read costs ten times the reading. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
