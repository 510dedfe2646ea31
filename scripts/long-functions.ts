// Finds functions that are too long to read at once. A longer one needs its reason above it: "Long because …".
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "oxc-parser";

const maxLines = 120;
const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type LongFunction = { line: number; name: string; lines: number };

/** Lists a file's functions of more than 120 lines that no comment directly above gives a reason for. */
export function longFunctions(file: string, code: string): LongFunction[] {
  const found: LongFunction[] = [];
  const lines = code.split("\n");
  const lineAt = (offset: number) => code.slice(0, offset).split("\n").length;
  visit(parseSync(file, code).program as unknown as Node, "(anonymous)");
  return found;

  function visit(node: Node, name: string): void {
    const ownName = nameOf(node) ?? name;
    if (functionTypes.has(node.type)) {
      const line = lineAt(node.start);
      const length = lineAt(node.end) - line + 1;
      if (length > maxLines && !hasReason(lines, line)) found.push({ line, name: ownName, lines: length });
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, ownName);
    }
  }
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";

/** The name of a function, or of the variable or property that holds it. */
function nameOf({ id, key }: Node): string | undefined {
  const holder = id ?? key;
  return isNode(holder) && typeof holder.name === "string" ? holder.name : undefined;
}

/** Whether one of the comment lines directly above a line begins with "Long because". */
function hasReason(lines: string[], line: number): boolean {
  for (let above = line - 2; above >= 0; above--) {
    const comment = /^\s*(?:\/\/|\/\*\*?|\*)(.*)/.exec(lines[above] ?? "");
    if (!comment) return false;
    if (comment[1]?.trim().startsWith("Long because")) return true;
  }
  return false;
}

/** Lists the long functions of all files below a folder, as lines to print. Tests list cases and may be long. */
function findLongFunctions(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
    .flatMap((path) =>
      longFunctions(path, readFileSync(path, "utf8")).map(
        ({ line, name, lines }) => `${relative(process.cwd(), path)}:${line}: ${name} has ${lines} lines`,
      ),
    );
}

if (import.meta.main) {
  const found = findLongFunctions(join(process.cwd(), "src"));
  for (const line of found) console.log(line);
  if (found.length > 0)
    console.log(`Split each at ${maxLines} lines, or give the reason above it: "Long because …".`);
  process.exit(found.length === 0 ? 0 : 1);
}
