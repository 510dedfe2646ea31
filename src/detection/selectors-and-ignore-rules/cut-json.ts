import { isRecord, type Value } from "../file-formats/json/signatures.ts";
import type { ParsedRules } from "./filtered-capture.ts";
import type { Location } from "./json-path.ts";
import type { Budget } from "./rule-budget.ts";
import { without } from "./text-cutter.ts";

type CutJson = { value: Value; isCut: boolean };

/** Cuts a document to what its rules leave, in its structure; null if the selectors choose nothing. */
export function cutJson(
  document: Value,
  { selectors, ignored, lines }: Pick<ParsedRules, "selectors" | "ignored" | "lines">,
  budget: Budget,
): CutJson | null {
  const find = (rules: ParsedRules["selectors"]) =>
    rules.flatMap((rule) => (rule.kind === "values" ? rule.find(document, budget) : []));
  const chosen = selectors.length > 0 ? find(selectors) : null;
  if (chosen?.length === 0) return null;
  const dropped = find(ignored);
  const plan = planOf(chosen ?? [[]], "keep");
  for (const location of dropped) mark(plan, location, "drop");
  let isCut = chosen !== null || dropped.length > 0;
  const copy = (value: Value, branch: Plan | undefined, isKept: boolean, key: string): Value | undefined => {
    if (branch?.mark === "drop") return undefined;
    const keeps = isKept || branch?.mark === "keep";
    if (!keeps && !branch) return undefined;
    if (Array.isArray(value)) {
      const items = value.map((item, at) => copy(item, branch?.inner.get(at), keeps, ""));
      return items.filter((item) => item !== undefined);
    }
    if (isRecord(value)) {
      const entries = Object.entries(value).flatMap(([name, item]) => {
        const left = copy(item, branch?.inner.get(name), keeps, name);
        return left === undefined ? [] : [[name, left]];
      });
      return Object.fromEntries(entries) as Value;
    }
    const line = key === "" ? String(value) : `${key}: ${value}`;
    const cuts = lines.cuts(line);
    if (!cuts) return value;
    isCut = true;
    const shortened = without(line, cuts);
    // A cut that touches the name removes the whole value.
    if (key !== "" && !shortened.startsWith(`${key}: `)) return undefined;
    const left = key === "" ? shortened : shortened.slice(key.length + 2);
    return left.trim() === "" ? undefined : left;
  };
  const value = copy(document, plan, false, "") ?? null;
  return { value, isCut };
}

/** A tree of the locations in a document that are kept or dropped. */
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
