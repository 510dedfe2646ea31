import { readdir, readFile } from "node:fs/promises";

const ticksPerSecond = 100;

/** CPU seconds so far of our process and of the browser whose command line holds `mark`, its ended pages included. */
export async function cpuSeconds(mark: string): Promise<number> {
  const rows = new Map<number, { parent: number; ticks: number; command: string }>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // utime, stime, and the same of children that have ended and been seen off.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
    rows.set(Number(name), { parent: Number(fields[1]), ticks, command });
  }
  const isOfBrowser = (pid: number): boolean => {
    const row = rows.get(pid);
    if (!row || pid === process.pid) return false;
    return row.command.includes(mark) || isOfBrowser(row.parent);
  };
  const ticks = [...rows].filter(([pid]) => isOfBrowser(pid)).reduce((sum, [, row]) => sum + row.ticks, 0);
  const { user, system } = process.cpuUsage();
  return ticks / ticksPerSecond + (user + system) / 1e6;
}
