// Compares the compressed scripts that a browser must load before a page works with their budgets. Then measures how
// the front page loads on a phone with a slow connection (median of WEB_ROUNDS rounds) and its Lighthouse scores;
// LIGHTHOUSE names a folder where `npm i lighthouse` was run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { partsOf } from "../scripts/prepare-pages.ts";
import { runLighthouse } from "./web/lighthouse.ts";
import { measurePaint } from "./web/paint.ts";

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] };

const kB = 1000;
const pages = [
  {
    name: "landing page",
    budget: 110 * kB,
    parts: ["index.html", ...(partsOf["/"] ?? [])],
  },
  {
    name: "dashboard",
    budget: 150 * kB,
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

function collectImports(part: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[part];
  if (!chunk) throw new Error(`${part} is not in the build`);
  if (seen.has(part)) return seen;
  seen.add(part);
  for (const imported of chunk.imports ?? []) collectImports(imported, seen);
  return seen;
}

let failed = false;
for (const page of pages) {
  const chunks = new Set(page.parts.flatMap((part) => [...collectImports(part)]));
  const files = [...chunks].map((part) => manifest[part]?.file ?? "");
  const size = ["theme.js", "load-app.js", ...files].reduce((sum, file) => sum + sizeOf(file), 0);
  const ratio = size / page.budget;
  failed ||= ratio > 1;
  console.log(
    `${page.name}: ${(size / kB).toFixed(1)} kB gz in ${files.length + 2} files, ${ratio.toFixed(2)} of ${page.budget / kB} kB${ratio > 1 ? "  OVER BUDGET" : ""}`,
  );
}
// Nine tenths of Lighthouse's score come from these figures; the bounds are those that it rates as good, except that
// less may shift. The dashboard needs the product, so its shift and its script are measured in e2e/web/dashboard.spec.ts.
const rounds = Number(process.env.WEB_ROUNDS ?? 5);
const paint = await measurePaint(folder, rounds);
const figures = [
  { name: "largest paint", value: paint.largestMs / 1000, bound: 2.5, unit: "s" },
  { name: "first paint", value: paint.firstMs / 1000, bound: 1.8, unit: "s" },
  { name: "blocking time", value: paint.blockedMs / 1000, bound: 0.2, unit: "s" },
  { name: "layout shift", value: paint.shift, bound: 0.02, unit: "" },
];
for (const { name, value, bound, unit } of figures) {
  failed ||= value > bound;
  console.log(`${name}: ${value.toFixed(3)} ${unit} of ${bound}${value > bound ? "  OVER BUDGET" : ""}`);
}
if (process.env.LIGHTHOUSE) {
  for (const page of ["", "login"])
    for (const [title, score] of Object.entries(
      await runLighthouse(process.env.LIGHTHOUSE, folder, page, rounds),
    )) {
      const bound = title === "Performance" ? 0.98 : 1;
      failed ||= score < bound;
      console.log(`Lighthouse, /${page}, ${title}: ${score} of ${bound}${score < bound ? "  BELOW" : ""}`);
    }
} else {
  console.log("Lighthouse was not run: set LIGHTHOUSE to a folder where `npm i lighthouse` was run.");
}
process.exit(failed ? 1 : 0);
