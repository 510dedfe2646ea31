import { readdir, readFile } from "node:fs/promises";

/** Proportional memory (PSS) of a process and of all its descendants, in bytes. */
export async function treePss(root: number): Promise<{ own: number; browser: number }> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    if (stat !== "") parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isDescendant = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isDescendant(parent));
  };
  const descendants = [...parents.keys()].filter(isDescendant);
  const sizes = await Promise.all(descendants.map(pss));
  return { own: await pss(root), browser: sizes.reduce((sum, size) => sum + size, 0) };
}

async function pss(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024;
}
