import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diffLines as jsdiff } from "diff";
import { canonicalHtml } from "#detection/html-formatting/canonical-html.ts";
import { diffLines } from "#detection/line-and-word-diff/diff-lines.ts";
import { goal, measure, seeded } from "./measure.ts";

type Pair = { name: string; old: string; new: string };

const JSDIFF_LIMIT = 15_000;

export async function benchText(): Promise<void> {
  console.log("text diff (ms, median of 5; jsdiff once, at most 15 s)");
  const folder = mkdtempSync(join(tmpdir(), "watchglass-bench-"));
  try {
    for (const pair of [editedLines(), ...realPages()]) await benchPair(pair, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  benchWorstCases();
}

async function benchPair(pair: Pair, folder: string): Promise<void> {
  const files = [join(folder, "old"), join(folder, "new")] as const;
  writeFileSync(files[0], pair.old);
  writeFileSync(files[1], pair.new);
  const times = await measure({
    floor: () => splitAndIntern(pair),
    own: () => diffLines(pair.old.split("\n"), pair.new.split("\n")),
    git: () => spawnSync("git", ["diff", "--no-index", "--histogram", "--numstat", ...files]),
  });
  const start = performance.now();
  const finished = jsdiff(pair.old, pair.new, { timeout: JSDIFF_LIMIT }) !== undefined;
  const jsdiffMs = performance.now() - start;
  const hunks = diffLines(pair.old.split("\n"), pair.new.split("\n")).length;
  console.log(
    `  ${pair.name}: split+intern ${times.floor.toFixed(1)}, own ${times.own.toFixed(1)} (${hunks} hunks), ` +
      `git ${times.git.toFixed(1)}, jsdiff ${finished ? "" : ">"}${jsdiffMs.toFixed(0)}`,
  );
  goal(`${pair.name}: own / split+intern`, times.own / times.floor, "<=", 3, "×");
  if (pair.name.startsWith("real")) goal(`${pair.name}: jsdiff / own`, jsdiffMs / times.own, ">=", 10, "×");
}

function splitAndIntern(pair: Pair): number {
  const ids = new Map<string, number>();
  const internedLines: Uint32Array[] = [];
  for (const text of [pair.old, pair.new]) {
    const lines = text.split("\n");
    const own = new Uint32Array(lines.length);
    lines.forEach((line, i) => {
      const id = ids.get(line) ?? ids.size;
      if (id === ids.size) ids.set(line, id);
      own[i] = id;
    });
    internedLines.push(own);
  }
  return internedLines.length + ids.size;
}

function editedLines(): Pair {
  const random = seeded(1);
  const lines = Array.from({ length: 20_000 }, (_, i) =>
    random(3) === 0
      ? "    </div>"
      : `    <p class="row-${i % 50}">${i} ${"lorem ipsum dolor ".repeat(6)}</p>`,
  );
  const edited = lines.map((line) => (random(100) === 0 ? `${line} edited ${random(1e6)}` : line));
  return { name: "2 MB, 1 % edited", old: lines.join("\n"), new: edited.join("\n") };
}

/** The pages of the development sample that differ in the most lines, if that sample is next to the project. */
function realPages(): Pair[] {
  const root = join(process.cwd(), "..", "shared", "corpus", "pairs");
  if (!existsSync(root)) {
    console.log("  no real pages next to the project: skipped");
    return [];
  }
  return readdirSync(root)
    .filter((id) => existsSync(join(root, id, "old.html")))
    .map((id) => ({ id, old: readFileSync(join(root, id, "old.html"), "utf8") }))
    .filter(({ old }) => old.length > 300_000)
    .map(({ id, old }) => {
      const oldLines = canonicalHtml(old).lines;
      const newLines = canonicalHtml(readFileSync(join(root, id, "new.html"), "utf8")).lines;
      const edits = diffLines(oldLines, newLines).reduce(
        (sum, hunk) => sum + hunk.oldCount + hunk.newCount,
        0,
      );
      return { name: `real ${id}`, old: oldLines.join("\n"), new: newLines.join("\n"), edits };
    })
    .sort((a, b) => b.edits - a.edits)
    .slice(0, 4);
}

function benchWorstCases(): void {
  console.log(
    "text diff, worst cases of 2 MB (ms: cold, then two warm; the fastest counts on a busy machine)",
  );
  let worst = 0;
  for (const [name, make] of Object.entries(worstCases)) {
    const [old, now] = make();
    const times = [0, 0, 0].map(() => {
      const start = performance.now();
      diffLines(old.split("\n"), now.split("\n"));
      return performance.now() - start;
    });
    worst = Math.max(worst, Math.min(...times));
    console.log(`  ${name}: ${times.map((time) => time.toFixed(0)).join(", ")}`);
  }
  goal("worst 2 MB pair", worst, "<=", 250, " ms");
}

const SIZE = 2_000_000;

function fill(line: () => string): string {
  const lines: string[] = [];
  for (let size = 0; size < SIZE; size += lines.at(-1)!.length + 1) lines.push(line());
  return lines.join("\n");
}

function shuffled(lines: string[], random: (below: number) => number): string[] {
  for (let i = lines.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [lines[i], lines[j]] = [lines[j]!, lines[i]!];
  }
  return lines;
}

const random = seeded(2);
const pairOf =
  (line: () => string): (() => [string, string]) =>
  () => [fill(line), fill(line)];
const numbered = (count: number, width: number): string[] =>
  Array.from({ length: count }, (_, i) => `${"y".repeat(width)}${i}`);

const worstCases: Record<string, () => [string, string]> = {
  "two unrelated 20,000-line files": pairOf(() => "x".repeat(95) + random(1e9)),
  "20,000 lines out of 100": pairOf(() => "x".repeat(97) + random(100)),
  "20,000 lines shuffled": () => [
    numbered(20_000, 95).join("\n"),
    shuffled(numbered(20_000, 95), random).join("\n"),
  ],
  "280,000 lines shuffled": () => [
    numbered(280_000, 0).join("\n"),
    shuffled(numbered(280_000, 0), random).join("\n"),
  ],
  "lines of up to three digits": pairOf(() => `${random(1000)}`),
  "one letter a line": pairOf(() => String.fromCharCode(97 + random(26))),
  "two letters": pairOf(() => (random(2) === 0 ? "a" : "b")),
  "blank lines": () => ["\n".repeat(SIZE), `${"\n".repeat(SIZE - 100_000)}x`],
  "one line": () => ["a".repeat(SIZE), `${"a".repeat(SIZE - 1)}b`],
};
