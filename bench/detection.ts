// Accuracy: `npm run bench:detection` scores the corpus of this folder; with the name of a folder it scores real page
// histories by five folds, stored as pairs/*/{old,new}.*, sequences/*/N.html and long/*/N.html with meta.json.
// `--attacks` applies attacks to them, `--edits` edits the content of one page per site, `--rules` says for each rule
// what it decides and what happens without it. `--every N` reads each Nth page only.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "#detection/compare.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { ContentKind, Snapshot } from "#detection/snapshot/snapshot.ts";
import { createMissFinder, injected } from "#detection/testing/find-injected.ts";
import { attack, attacks } from "./corpus/attacks.ts";
import { contentEdits, editContent } from "./corpus/content-edits.ts";
import { siteOf } from "./corpus/folds.ts";
import { editLink, linkEdits } from "./corpus/link-edits.ts";
import { measureEachRule } from "./corpus/measure-rules.ts";
import { makePage } from "./corpus/page.ts";
import { makePairs } from "./corpus/pairs.ts";
import { Random } from "./corpus/random.ts";
import { compareHistory, comparePair, readMetas, type Step } from "./corpus/real-pages.ts";
import { noiseKinds, render } from "./corpus/render.ts";
import { Score } from "./corpus/score.ts";
import { show, Tally } from "./corpus/tally.ts";
import { runSpeed } from "./detection-speed.ts";

const verbose = process.argv.includes("--verbose");
const every = Number(/--every (\d+)/.exec(process.argv.join(" "))?.[1] ?? 1);
const folder = process.argv.slice(2).find((argument) => !/^(?:--|\d+$)/.test(argument));

function verdictOf(
  before: string,
  after: string,
  kind: ContentKind,
  url: string,
): { changed: boolean; folded: boolean; summary: string } {
  return compare(snapshotOf(before, kind, url), snapshotOf(after, kind, url), emptyMemory()).verdict;
}

function scoreOwn(): boolean {
  const tally = new Tally();
  const pairs = makePairs();
  for (const pair of pairs) {
    const verdict = verdictOf(pair.old, pair.new, "html", pair.url);
    tally.add(pair.label, pair.stratum, verdict.changed);
    if (verdict.changed !== (pair.label === "changed"))
      console.log(`  wrong: ${pair.id}: ${verdict.summary}`);
  }
  if (verbose) tally.print();
  const recall = tally.rate(["changed"]);
  const falseAlerts = tally.rate(["noise"]);
  console.log(
    `own corpus: ${pairs.length} pairs, recall ${show(recall)} (wanted 1), false alerts ${show(falseAlerts)} (wanted at most .01)`,
  );
  return recall === 1 && (falseAlerts ?? 0) <= 0.01;
}

/** Attacks at every location of a page full of noise: bare, after learning, and with a confirmation. */
function scoreInjected(): boolean {
  const page = makePage(20261115);
  const all = new Set(noiseKinds);
  const capturePage = (content: string, seed: number) =>
    snapshotOf(
      render(page, all, seed).replace("</main>", () => `</main>${content}`),
      "html",
      `https://${page.host}/`,
    );
  const cases = injected();
  const findMisses = createMissFinder(capturePage);
  let misses = 0;
  for (const injectedCase of cases) {
    const ways = findMisses(injectedCase);
    misses += ways.length;
    if (ways.length > 0)
      console.log(`  missed: ${injectedCase.name} in ${injectedCase.place}: ${ways.join("; ")}`);
  }
  console.log(
    `injected: ${cases.length} attacks and small edits in noise, each tried in five ways: ${misses} missed`,
  );
  return misses === 0;
}

/** Scores pairs and histories by fold; `--attacks` applies attacks to the pairs that are noise. */
function scoreReal(path: string): void {
  const pairs = new Score();
  for (const page of readMetas(join(path, "pairs"), every)) scoreSteps(comparePair(page), pairs);
  if (pairs.counts().wanted + pairs.counts().quiet > 0) pairs.print("pairs");
  for (const folder of ["sequences", "long"]) {
    const histories = new Score();
    for (const page of readMetas(join(path, folder), every)) scoreSteps(compareHistory(page), histories);
    if (histories.counts().quiet > 0) histories.print(folder);
  }
  if (process.argv.includes("--attacks")) scoreAttacks(path);
}

function scoreSteps(steps: Step[], score: Score): void {
  for (const { fold, stratum, isChange, verdict, name } of steps) {
    score.add(fold, stratum, isChange, verdict);
    const isWrong = isChange ? !verdict.changed : verdict.changed && !verdict.folded;
    if (isWrong) console.log(`  wrong: ${name} (${stratum}): ${verdict.summary}`);
  }
}

function scoreAttacks(path: string): void {
  const tally = new Tally();
  for (const { path: directory, meta } of readMetas(join(path, "pairs"), every)) {
    if (meta.label !== "noise" || meta.format !== "html") continue;
    const [before, after] = [meta.old, meta.new].map((name) => readFileSync(join(directory, name), "utf8"));
    Object.keys(attacks).forEach((name, at) => {
      const attacked = attack(name, after ?? "", at + meta.id.length);
      if (attacked === null) return;
      const verdict = verdictOf(before ?? "", attacked, "html", meta.url ?? "");
      tally.add("attack", name, verdict.changed);
      if (!verdict.changed) console.log(`  missed: ${name} in ${meta.id}`);
    });
  }
  tally.print();
}

/** Edits words, numbers and link targets of one page per site; every edit must be reported. */
function scoreEdits(path: string): void {
  const tally = new Tally();
  const sites = new Set<string>();
  for (const { path: directory, meta } of readMetas(join(path, "pairs"), every)) {
    const site = siteOf(meta);
    if (meta.label !== "noise" || meta.format !== "html" || sites.has(site)) continue;
    sites.add(site);
    const html = readFileSync(join(directory, meta.new), "utf8");
    const url = meta.url ?? "";
    const toSnapshot = (text: string): Snapshot => ({
      ...snapshotOf(text, "html", url),
      headers: [["date", new Date().toUTCString()]],
    });
    const before = toSnapshot(html);
    const score = (name: string, edited: { before?: string; html: string; piece: string } | null) => {
      if (!edited) return;
      const old = edited.before === undefined ? before : toSnapshot(edited.before);
      const { verdict } = compare(old, toSnapshot(edited.html), emptyMemory());
      tally.add("edit", name, verdict.changed);
      tally.add("edit, alerted at once", name, verdict.changed && !verdict.folded);
      if (!verdict.changed) console.log(`  missed: ${name} in ${meta.id}: ${edited.piece.slice(0, 200)}`);
    };
    const random = () => new Random(meta.id.length + sites.size);
    for (const [name, edit] of Object.entries(contentEdits))
      score(name, editContent(html, url, edit, random()));
    for (const [name, edit] of Object.entries(linkEdits)) score(name, editLink(html, url, edit, random()));
  }
  tally.print();
}

if (folder && process.argv.includes("--edits")) scoreEdits(folder);
else if (folder && process.argv.includes("--rules")) measureEachRule(folder, every, verbose);
else if (folder) scoreReal(folder);
else {
  const isAccurate = [scoreOwn(), scoreInjected()].every(Boolean);
  process.exitCode = (await runSpeed()) && isAccurate ? 0 : 1;
}
