import { kindOf } from "./noise-rule.ts";
import type { NoiseTable } from "./noise-rules.ts";

/** The table of rules as the documentation shows it, in the order in which they are tried. */
export function describeNoiseRules(tables: readonly NoiseTable[]): string {
  const rows = tables.flatMap((table) => table.rows);
  const idsByKind = Map.groupBy(
    rows.map(({ id }) => id),
    kindOf,
  );
  return [
    `There are ${rows.length} rules for ${idsByKind.size} kinds of noise.`,
    toTable(
      ["`why`", "rules"],
      [...idsByKind.keys()]
        .sort()
        .map((kind) => [code(kind), idsByKind.get(kind)?.map(code).join(", ") ?? ""]),
    ),
    ...tables.flatMap(({ title, file, rows: own }) => [
      `### ${title} (\`${file}\`)`,
      toTable(
        ["rule", "silences", "where"],
        own.map(({ id, claim, where }) => [code(id), claim, where]),
      ),
    ]),
  ].join("\n\n");
}

const code = (text: string) => `\`${text}\``;

/** A table in Markdown, with columns of equal width, as the formatter writes them. */
function toTable(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [first = [], ...others] = cells;
  return [line(first), line(widths.map((width) => "-".repeat(width))), ...others.map(line)].join("\n");
}
