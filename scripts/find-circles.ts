/** Returns one cycle, as a list of files, for every import that closes one; `imports` says which file imports which. */
export function findCycles(imports: Map<string, string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];

  function walk(file: string): void {
    if (done.has(file)) return;
    const start = path.indexOf(file);
    if (start !== -1) {
      circles.push([...path.slice(start), file]);
      return;
    }
    path.push(file);
    for (const next of imports.get(file) ?? []) walk(next);
    path.pop();
    done.add(file);
  }

  for (const file of imports.keys()) walk(file);
  return circles;
}
