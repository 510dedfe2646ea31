import { readdir, readFile } from "node:fs/promises";

/** Clock ticks per second of Linux's /proc. */
const ticks = 100;

/** Processor time that the descendants of a process have used so far, ended ones included: in all, and without browsers. */
export async function processorSeconds(ofPid: number): Promise<{ all: number; withoutBrowser: number }> {
  const parents = new Map<number, { parent: number; used: number; isBrowser: boolean }>();
  for (const entry of await readdir("/proc")) {
    const stat = /^\d+$/.test(entry) && (await readFile(`/proc/${entry}/stat`, "utf8").catch(() => ""));
    if (!stat) continue;
    // The name is in parentheses and may have spaces; then come the state, the parent, and from the twelfth on the times.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const used = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    parents.set(Number(entry), { parent: Number(fields[1]), used, isBrowser: stat.includes("(chrom") });
  }
  const isDescendant = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent;
    return parent === ofPid || (parent !== undefined && parent > 1 && isDescendant(parent));
  };
  const counted = [...parents].filter(([pid]) => isDescendant(pid)).map(([, process]) => process);
  const sum = (processes: typeof counted) => processes.reduce((total, { used }) => total + used, 0) / ticks;
  return { all: sum(counted), withoutBrowser: sum(counted.filter(({ isBrowser }) => !isBrowser)) };
}
