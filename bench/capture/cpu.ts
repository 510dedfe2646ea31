import { readdir, readFile } from "node:fs/promises";

const ticksPerSecond = 100;

/** CPU seconds used so far by our process and the browser whose command line contains `mark`, with its ended pages. */
export async function cpuSeconds(mark: string): Promise<number> {
  const rows = new Map<number, { parent: number; ticks: number; command: string }>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // utime and stime, and the same of children that have ended and were waited for.
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0);
    rows.set(Number(name), { parent: Number(fields[1]), ticks, command });
  }
  const belongsToBrowser = (pid: number): boolean => {
    const row = rows.get(pid);
    if (!row || pid === process.pid) return false;
    return row.command.includes(mark) || belongsToBrowser(row.parent);
  };
  const ticks = [...rows]
    .filter(([pid]) => belongsToBrowser(pid))
    .reduce((sum, [, row]) => sum + row.ticks, 0);
  const { user, system } = process.cpuUsage();
  return ticks / ticksPerSecond + (user + system) / 1e6;
}
