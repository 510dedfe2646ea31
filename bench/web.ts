// What a browser must load before a page works, against the budgets of compressed script.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] };

const kB = 1000;
const pages = [
  {
    name: "landing page",
    budget: 110 * kB,
    parts: ["index.html", "features/public/public-layout.tsx", "features/public/landing.tsx"],
  },
  {
    name: "dashboard",
    budget: 220 * kB,
    parts: ["index.html", "app/shell/shell.tsx", "features/dashboard/dashboard.tsx"],
  },
];

await build({ logLevel: "warn" });
const folder = join(import.meta.dirname, "../dist/web");
const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")) as Record<
  string,
  Chunk
>;
const sizeOf = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;

function reach(part: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[part];
  if (!chunk) throw new Error(`${part} is not in the build`);
  if (seen.has(part)) return seen;
  seen.add(part);
  for (const imported of chunk.imports ?? []) reach(imported, seen);
  return seen;
}

let failed = false;
for (const page of pages) {
  const chunks = new Set(page.parts.flatMap((part) => [...reach(part)]));
  const files = [...chunks].map((part) => manifest[part]?.file ?? "");
  const size = ["theme.js", ...files].reduce((sum, file) => sum + sizeOf(file), 0);
  const ratio = size / page.budget;
  failed ||= ratio > 1;
  console.log(
    `${page.name}: ${(size / kB).toFixed(1)} kB gz in ${files.length + 1} files, ${ratio.toFixed(2)} of ${page.budget / kB} kB${ratio > 1 ? "  OVER BUDGET" : ""}`,
  );
}
process.exit(failed ? 1 : 0);
