// Accuracy: `npm run bench:detection` scores the corpus of this folder; with a folder's name it scores real page
// histories laid out as pairs/*/{old,new}.* and sequences/*/N.html with meta.json; `--attacks` lays attacks over them,
// `--edits` edits what they say, a site at a time.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "#detection/compare.ts";
import { emptyMemory } from "#detection/noise-memory.ts";
import type { ContentKind, Snapshot } from "#detection/snapshot.ts";
import { snapshotOf } from "#detection/snapshot-of.ts";
import { injected, watchFor } from "#detection/testing/find-injected.ts";
import { attack, attacks } from "./corpus/attacks.ts";
import { contentEdits, editContent } from "./corpus/content-edits.ts";
import { makePage } from "./corpus/page.ts";
import { makePairs } from "./corpus/pairs.ts";
import { Random } from "./corpus/random.ts";
import { noiseKinds, render } from "./corpus/render.ts";
import { show, Tally } from "./corpus/tally.ts";
import { runSpeed } from "./detection-speed.ts";

type Meta = {
  id: string;
  label: string;
  stratum: string;
  format: string;
  old: string;
  new: string;
  url?: string;
  service?: string;
  source?: string;
  captures: string[];
  step_labels: string[];
};

const kinds: Record<string, ContentKind> = { html: "html", json: "json", txt: "text" };
const natural = { markup_only: 0.88, visible_volatile: 0.109, order_only: 0.011 };
const verbose = process.argv.includes("--verbose");
const folder = process.argv.slice(2).find((argument) => !argument.startsWith("--"));

function changed(
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
    const verdict = changed(pair.old, pair.new, "html", pair.url);
    tally.add(pair.label, pair.stratum, verdict.changed);
    if (verdict.changed !== (pair.label === "changed"))
      console.log(`  wrong: ${pair.id}: ${verdict.summary}`);
  }
  if (verbose) tally.print();
  const recall = tally.rate(["changed"]);
  const false_ = tally.rate(["noise"]);
  console.log(
    `own corpus: ${pairs.length} pairs, recall ${show(recall)} (wanted 1), false alerts ${show(false_)} (wanted at most .01)`,
  );
  return recall === 1 && (false_ ?? 0) <= 0.01;
}

/** Attacks in every place of a page full of noise: bare, after learning, and looked at twice. */
function scoreInjected(): boolean {
  const page = makePage(20261115);
  const all = new Set(noiseKinds);
  const shown = (content: string, seed: number) =>
    snapshotOf(
      render(page, all, seed).replace("</main>", () => `</main>${content}`),
      "html",
      `https://${page.host}/`,
    );
  const cases = injected();
  const missed = watchFor(shown);
  let misses = 0;
  for (const one of cases) {
    const ways = missed(one);
    misses += ways.length;
    if (ways.length > 0) console.log(`  missed: ${one.name} in ${one.place}: ${ways.join("; ")}`);
  }
  console.log(
    `injected: ${cases.length} attacks and small edits in noise, ${misses} missed in five ways each`,
  );
  return misses === 0;
}

function metasIn(path: string): { path: string; meta: Meta }[] {
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .sort()
    .map((name) => ({
      path: join(path, name),
      meta: JSON.parse(readFileSync(join(path, name, "meta.json"), "utf8")) as Meta,
    }));
}

/** Which half of the sites a page falls in: rules are made looking at one and checked on the other. */
function halfOf(meta: Meta): string {
  const digest = createHash("sha1")
    .update(meta.service ?? meta.source ?? meta.id)
    .digest();
  return (digest[0] ?? 0) % 2 === 0 ? "first" : "second";
}

function scorePairs(path: string): void {
  const whole = new Tally();
  const halves: Record<string, Tally> = { first: new Tally(), second: new Tally() };
  const over = new Tally();
  for (const { path: place, meta } of metasIn(join(path, "pairs"))) {
    const kind = kinds[meta.format] ?? "text";
    const before = readFileSync(join(place, meta.old), "utf8");
    const after = readFileSync(join(place, meta.new), "utf8");
    const verdict = changed(before, after, kind, meta.url ?? "");
    // What is folded is told, and no alert.
    const isAlert = verdict.changed && !verdict.folded;
    const counts = meta.label === "changed" ? verdict.changed : isAlert;
    whole.add(meta.label, meta.stratum, counts);
    halves[halfOf(meta)]?.add(meta.label, meta.stratum, counts);
    const wrong = meta.label === "changed" ? !verdict.changed : isAlert;
    if (wrong && ["changed", "noise", "identical"].includes(meta.label))
      console.log(`  wrong: ${meta.id} (${meta.stratum}): ${verdict.summary}`);
    if (process.argv.includes("--attacks") && meta.label === "noise" && kind === "html") {
      Object.keys(attacks).forEach((name, at) => {
        const attacked = attack(name, after, at + meta.id.length);
        if (attacked === null) return;
        const found = changed(before, attacked, kind, meta.url ?? "");
        over.add("attack", name, found.changed);
        if (!found.changed) console.log(`  missed: ${name} over ${meta.id}`);
      });
    }
  }
  whole.print();
  over.print();
  for (const [name, tally] of [["all", whole], ...Object.entries(halves)] as [string, Tally][]) {
    let weighted = 0;
    for (const [stratum, share] of Object.entries(natural))
      weighted += share * (tally.rate(["noise"], stratum) ?? 0);
    console.log(
      `${name}: recall ${show(tally.rate(["changed"]))}, false alerts ${show(tally.rate(["noise", "identical"]))}, at natural frequency ${show(weighted)}`,
    );
  }
}

/** Edits of the content of one page of each site: all must be pushed. */
function scoreEdits(path: string): void {
  const tally = new Tally();
  const sites = new Set<string>();
  for (const { path: place, meta } of metasIn(join(path, "pairs"))) {
    const site = meta.service ?? meta.source ?? meta.id;
    if (meta.label !== "noise" || meta.format !== "html" || sites.has(site)) continue;
    sites.add(site);
    const html = readFileSync(join(place, meta.new), "utf8");
    for (const [name, edit] of Object.entries(contentEdits)) {
      const edited = editContent(html, meta.url ?? "", edit, new Random(meta.id.length + sites.size));
      if (!edited) continue;
      const seen = (text: string): Snapshot => ({
        ...snapshotOf(text, "html", meta.url ?? ""),
        headers: [["date", new Date().toUTCString()]],
      });
      const { changed: isTold, folded } = compare(seen(html), seen(edited.html), emptyMemory()).verdict;
      tally.add("edit", name, isTold && !folded);
      if (!isTold || folded) console.log(`  missed: ${name} in ${meta.id}: ${edited.piece.slice(0, 120)}`);
    }
  }
  tally.print();
}

function scoreSequences(path: string): void {
  const tally = new Tally();
  for (const { path: place, meta } of metasIn(join(path, "sequences"))) {
    let memory = emptyMemory();
    let marks = "";
    const captures = meta.captures.map((name) =>
      snapshotOf(readFileSync(join(place, name), "utf8"), "html", meta.url ?? ""),
    );
    meta.step_labels.forEach((label, step) => {
      const [before, after] = [captures[step], captures[step + 1]];
      if (!before || !after) return;
      const result = compare(before, after, memory);
      memory = result.memory;
      marks +=
        label === "changed" ? (result.verdict.changed ? "C" : "-") : result.verdict.changed ? "!" : ".";
      const isAlert = result.verdict.changed && !result.verdict.folded;
      tally.add(
        label,
        step === 0 ? "first step" : step < 3 ? "steps 2 and 3" : "later steps",
        label === "changed" ? result.verdict.changed : isAlert,
      );
    });
    console.log(`  ${meta.id.padEnd(40)} ${marks}`);
  }
  tally.print();
  console.log(
    `sequences: recall ${show(tally.rate(["changed"]))}, false alerts ${show(tally.rate(["noise"]))}`,
  );
}

if (folder && process.argv.includes("--edits")) scoreEdits(folder);
else if (folder) {
  scorePairs(folder);
  scoreSequences(folder);
} else {
  const isAccurate = [scoreOwn(), scoreInjected()].every(Boolean);
  process.exitCode = (await runSpeed()) && isAccurate ? 0 : 1;
}
