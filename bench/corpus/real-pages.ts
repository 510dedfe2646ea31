import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "#detection/compare.ts";
import { detectContentKind } from "#detection/file-formats/detect-content-kind.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import { measureRules } from "#detection/noise-rules/noise-rule.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { Snapshot } from "#detection/snapshot/snapshot.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { foldOf } from "./folds.ts";

/** What meta.json says of a pair of captures or of a history. */
export type Meta = {
  id: string;
  label: string;
  stratum: string;
  format: string;
  old: string;
  new: string;
  url?: string;
  service?: string;
  source?: string;
  date_old?: string;
  date_new?: string;
  captures?: string[];
  step_labels?: string[];
  persist?: number[];
  struct_persist?: number[];
  kind?: (string | null)[];
  flip?: (boolean | number | null)[];
  doubt?: (string | null | boolean)[];
};

/** The pages of a corpus folder, or `every`th of them. */
export function readMetas(folder: string, every = 1): { path: string; meta: Meta }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .filter((_, at) => at % every === 0)
    .map((name) => ({
      path: join(folder, name),
      meta: JSON.parse(readFileSync(join(folder, name, "meta.json"), "utf8")) as Meta,
    }));
}

function readCapture(path: string, url = "", sent = ""): Snapshot {
  const body = readFileSync(path);
  const snapshot = snapshotOf(new TextDecoder().decode(body), detectContentKind("", path, body), url);
  const date = new Date(sent);
  return Number.isNaN(date.getTime()) ? snapshot : { ...snapshot, headers: [["date", date.toUTCString()]] };
}

/** One comparison that a label exists for. */
export type Step = {
  fold: number;
  stratum: string;
  isChange: boolean;
  name: string;
  verdict: Verdict;
  /** How many differences each rule decided. */
  decided: Map<string, number>;
  /** Compares again, with what the memory knew before this step. */
  compareAgain: () => Verdict;
};

/** Compares the two captures of a pair; nothing if the pair isn't scored. */
export function comparePair({ path, meta }: { path: string; meta: Meta }): Step[] {
  if (!["changed", "noise", "identical"].includes(meta.label)) return [];
  const before = readCapture(join(path, meta.old), meta.url, meta.date_old);
  const after = readCapture(join(path, meta.new), meta.url, meta.date_new);
  const compareAgain = () => compare(before, after, emptyMemory()).verdict;
  const { result: verdict, decided } = measureRules([], compareAgain);
  const { stratum, id: name } = meta;
  return [
    { fold: foldOf(meta), stratum, isChange: meta.label === "changed", name, verdict, decided, compareAgain },
  ];
}

/** Goes through a history with a fresh memory, as the checks of a job do. */
export function compareHistory({ path, meta }: { path: string; meta: Meta }): Step[] {
  const captures = readdirSync(path)
    .filter((name) => /^\d+\./.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((name) => readCapture(join(path, name), meta.url));
  const steps: Step[] = [];
  let memory = emptyMemory();
  let [baseline] = captures;
  for (const [at, after] of captures.slice(1).entries()) {
    if (!baseline) break;
    const [before, known] = [baseline, memory];
    const { result, decided } = measureRules([], () => compare(before, after, known));
    memory = result.memory;
    if (!result.verdict.partial) baseline = after;
    const label = labelOf(meta, at);
    if (!label) continue;
    const compareAgain = () => compare(before, after, known).verdict;
    const name = `${meta.id} ${at + 1}`;
    steps.push({ ...label, fold: foldOf(meta), name, verdict: result.verdict, decided, compareAgain });
  }
  return steps;
}

/** What a step's label asks for; null if it isn't scored: in doubt, changed in format only, or really changed. */
function labelOf(meta: Meta, at: number): Pick<Step, "stratum" | "isChange"> | null {
  const label = meta.step_labels?.[at];
  if (label === undefined || meta.doubt?.[at]) return null;
  if (label === "changed") {
    const isLasting = ["text", "number", "link"].includes(meta.kind?.[at] ?? "text") && !meta.flip?.[at];
    return isLasting ? { stratum: "lasting change", isChange: true } : null;
  }
  if ((meta.persist?.[at] ?? 0) > 0 || (meta.struct_persist?.[at] ?? 0) > 0) return null;
  return { stratum: meta.persist ? "passing" : "noise", isChange: false };
}
