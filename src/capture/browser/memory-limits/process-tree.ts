import { existsSync, readdirSync, readFileSync } from "node:fs";

export type ProcessInfo = { pid: number; parent: number; rss: number; renderer: boolean; cpuMs: number };

const msPerTick = 10;

/** The parent of each process when it was first seen. */
export type Parents = Map<number, number>;

/**
 * Lists this process and all its descendants from /proc; empty on systems without it. Frequent callers pass the parents
 * known from earlier calls, so that only the machine's new processes are read.
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

/** The ids of a process's threads, including its main thread. */
export function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** Kills the whole process tree; processes that are not visible in /proc are reached through the process group. */
export async function killTree(root: number): Promise<void> {
  const descendantPids = processTree(root)
    .map((row) => row.pid)
    .filter((pid) => pid !== root);
  for (const pid of descendantPids) end(pid);
  // The supervisor ends after its child and must have time to reap it, or a zombie stays in the process table.
  if (descendantPids.length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  for (const pid of [-root, root]) end(pid);
}

/** Kills a process, or with a negative number its whole group. */
export function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}

function allProcesses(known: Parents): Pick<ProcessInfo, "pid" | "parent">[] {
  const names = existsSync("/proc") ? readdirSync("/proc") : [];
  const currentPids = new Set(names.map(Number).filter((pid) => pid > 0));
  for (const pid of known.keys()) if (!currentPids.has(pid)) known.delete(pid);
  for (const pid of currentPids) {
    if (known.has(pid)) continue;
    const fields = fieldsOf(pid);
    if (fields.length > 1) known.set(pid, Number(fields[1]));
  }
  return [...known].map(([pid, parent]) => ({ pid, parent }));
}

/** The fields of /proc stat from the third on: the second, the command, may itself contain spaces and parentheses. */
function fieldsOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Reads synchronously: /proc needs no disk, and a read through the thread pool costs ten times as much. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
