import { readdir, readFile } from "node:fs/promises";

/** Proportional memory of this process and of everything below it, in bytes. */
export async function treePss(root: number): Promise<{ own: number; browser: number }> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    if (stat !== "") parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  const below = [...parents.keys()].filter(isBelow);
  const sizes = await Promise.all(below.map(pss));
  return { own: await pss(root), browser: sizes.reduce((sum, size) => sum + size, 0) };
}

async function pss(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024;
}
