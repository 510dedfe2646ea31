import { isRecord, type Value } from "../compare-json/signatures.ts";
import { parseJson } from "../compare-json.ts";
import type { Budget } from "../rule-budget.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Glasses, View } from "./glasses.ts";
import type { Location } from "./json-path.ts";
import { type TextCutter, without } from "./text-cutter.ts";

// As many as capture makes of a file.
const MAX_BLOCKS = 20_000;

/** What is no page, by its values or its lines; null where the selectors choose nothing. */
export function cutFile(snapshot: Snapshot, glasses: Glasses, budget: Budget): View | null {
  const { kind, html } = snapshot;
  const json = kind === "json" ? parseJson(html) : undefined;
  if (json === undefined && glasses.selectors.length > 0) return null;
  const left = json === undefined ? cutLines(snapshot, glasses.lines) : cutJson(json, glasses, budget);
  if (left === null) return null;
  const text = typeof left === "string" ? left : JSON.stringify(left.value, null, 2);
  const isSame = typeof left === "string" ? left === html : !left.isCut;
  if (isSame) return { snapshot, sight: { only: null, hidden: [] }, isAbsent: false };
  const role = kind === "text" || kind === "pdf" ? "paragraph" : "code";
  const lines = text.split(/\r\n|[\n\r]/).filter((line) => line.trim() !== "");
  const seen: Snapshot = {
    ...snapshot,
    html: text,
    body: new TextEncoder().encode(text),
    title: glasses.lines.cut(snapshot.title),
    text: lines.slice(0, MAX_BLOCKS).map((line) => ({ role, area: "", text: line.trimEnd() })),
  };
  // Nobody knows where on the picture of a file its lines stand.
  return { snapshot: seen, sight: null, isAbsent: false };
}

function cutLines({ kind, html }: Snapshot, lines: TextCutter): string {
  if (lines.isIdle) return html;
  // In markup a line is what stands between two tags.
  const pieces = kind === "xml" ? html.split(/(<[^<>]*>|\r?\n)/) : html.split(/(\r?\n)/);
  return pieces.map((piece, at) => (at % 2 === 0 ? lines.cut(piece) : piece)).join("");
}

type Left = { value: Value; isCut: boolean };

function cutJson(document: Value, { selectors, ignored, lines }: Glasses, budget: Budget): Left | null {
  const find = (rules: Glasses["ignored"]) =>
    rules.flatMap((rule) => (rule.kind === "values" ? rule.find(document, budget) : []));
  const chosen = selectors.length > 0 ? find(selectors) : null;
  if (chosen?.length === 0) return null;
  const dropped = find(ignored);
  const plan = planOf(chosen ?? [[]], "keep");
  for (const location of dropped) mark(plan, location, "drop");
  let isCut = chosen !== null || dropped.length > 0;
  const copy = (value: Value, here: Plan | undefined, isKept: boolean, key: string): Value | undefined => {
    if (here?.mark === "drop") return undefined;
    const keeps = isKept || here?.mark === "keep";
    if (!keeps && !here) return undefined;
    if (Array.isArray(value)) {
      const items = value.map((item, at) => copy(item, here?.inner.get(at), keeps, ""));
      return items.filter((item) => item !== undefined);
    }
    if (isRecord(value)) {
      const entries = Object.entries(value).flatMap(([name, item]) => {
        const left = copy(item, here?.inner.get(name), keeps, name);
        return left === undefined ? [] : [[name, left]];
      });
      return Object.fromEntries(entries) as Value;
    }
    const line = key === "" ? String(value) : `${key}: ${value}`;
    const cuts = lines.cuts(line);
    if (!cuts) return value;
    isCut = true;
    const rest = without(line, cuts);
    // What touches the name takes the whole value.
    if (key !== "" && !rest.startsWith(`${key}: `)) return undefined;
    const left = key === "" ? rest : rest.slice(key.length + 2);
    return left.trim() === "" ? undefined : left;
  };
  const value = copy(document, plan, false, "") ?? null;
  return { value, isCut };
}

/** Where in a document something is kept or dropped. */
type Plan = { mark: "" | "keep" | "drop"; inner: Map<string | number, Plan> };

function planOf(locations: Location[], what: "keep" | "drop"): Plan {
  const root: Plan = { mark: "", inner: new Map() };
  for (const location of locations) mark(root, location, what);
  return root;
}

function mark(root: Plan, location: Location, what: "keep" | "drop"): void {
  let plan = root;
  for (const step of location) {
    const next: Plan = plan.inner.get(step) ?? { mark: "", inner: new Map() };
    plan.inner.set(step, next);
    plan = next;
  }
  plan.mark = what;
}
