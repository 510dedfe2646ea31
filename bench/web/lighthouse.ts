import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openPages } from "./paint.ts";

type Lighthouse = (
  url: string,
  flags: { port: number; logLevel: "silent" },
) => Promise<{ lhr: { categories: Record<string, { title: string; score: number }> } }>;

const port = 9333;

/** Lighthouse's scores of a page ("" is the front page), each the median; `installFolder` is where Lighthouse is installed. */
export async function runLighthouse(
  installFolder: string,
  folder: string,
  page: string,
  rounds: number,
): Promise<Record<string, number>> {
  const entryPoint = createRequire(join(installFolder, "package.json")).resolve("lighthouse");
  const { default: lighthouse } = (await import(pathToFileURL(entryPoint).href)) as { default: Lighthouse };
  const { url, close } = await openPages(folder, [`--remote-debugging-port=${port}`]);
  const scores: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    const { lhr } = await lighthouse(url + page, { port, logLevel: "silent" });
    for (const { title, score } of Object.values(lhr.categories)) (scores[title] ??= []).push(score);
  }
  await close();
  return Object.fromEntries(
    Object.entries(scores).map(([title, all]) => [
      title,
      all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0,
    ]),
  );
}
