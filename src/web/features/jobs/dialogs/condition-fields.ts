import type { AlertIf, Condition } from "#detection/condition.ts";
import type { ReasonKind, Severity } from "#detection/verdict.ts";

/** Each sort of condition, as the form offers it. */
export const sorts = {
  "text added": "Text added",
  "text removed": "Text removed",
  "text present": "Text is there",
  "text absent": "Text is not there",
  "number below": "Number below",
  "number above": "Number above",
  "number up": "Number up by",
  "number down": "Number down by",
  status: "Status",
  severity: "Severity at least",
  reason: "Kind of change",
  "only additions": "Only additions",
  "only removals": "Only removals",
} as const;
export type Sort = keyof typeof sorts;

/** A condition as a row of the form holds it: `text` is its text, number or code. */
export type ConditionField = {
  sort: Sort;
  text: string;
  /** Of the followed value. */
  name: string;
  percent: boolean;
  atLeast: Severity;
  kinds: ReasonKind[];
};

export const newCondition: ConditionField = {
  sort: "text added",
  text: "",
  name: "",
  percent: false,
  atLeast: "important",
  kinds: [],
};

export function conditionField(condition: Condition): ConditionField {
  switch (condition.what) {
    case "text":
      return { ...newCondition, sort: `text ${condition.is}`, text: condition.text };
    case "number": {
      const { is, amount, name, percent } = condition;
      return { ...newCondition, sort: `number ${is}`, text: String(amount), name, percent };
    }
    case "status":
      return { ...newCondition, sort: "status", text: condition.is };
    case "severity":
      return { ...newCondition, sort: "severity", atLeast: condition.atLeast };
    case "reason":
      return { ...newCondition, sort: "reason", kinds: condition.kinds };
    default:
      return { ...newCondition, sort: `only ${condition.is}` };
  }
}

/** The rows as the calls take them. */
export function conditionsOf(match: AlertIf["match"], rows: ConditionField[]): AlertIf | null {
  return rows.length === 0 ? null : { match, conditions: rows.map(conditionOf) };
}

function conditionOf({ sort, text, name, percent, atLeast, kinds }: ConditionField): Condition {
  if (sort === "status") return { what: "status", is: text.trim() };
  if (sort === "severity") return { what: "severity", atLeast };
  if (sort === "reason") return { what: "reason", kinds };
  const [what, is] = sort.split(" ");
  // The names of the sorts are made of these words.
  if (what === "only") return { what, is: is as "additions" | "removals" };
  if (what === "text") return { what, is: is as "added", text };
  const isMove = is === "up" || is === "down";
  const amount = Number(text.trim().replace(",", "."));
  return { what: "number", name, is: is as "up", amount, percent: isMove && percent };
}

/** What is wrong with a row; undefined where nothing is. The server looks at them together. */
export function checkCondition(
  { sort, text, name, kinds }: ConditionField,
  names: string[],
): string | undefined {
  if (sort.startsWith("text") && text.trim() === "") return "Which text?";
  if (sort === "status" && !/^[1-5](\d\d|xx)$/i.test(text.trim())) return "A code as 404, or a class as 5xx.";
  if (sort === "reason" && kinds.length === 0) return "Choose at least one kind.";
  if (!sort.startsWith("number")) return undefined;
  if (names.length === 0) return "Name the number under Numbers first.";
  if (!names.includes(name)) return "Which number?";
  const isMove = sort === "number up" || sort === "number down";
  if (text.trim() === "" && isMove) return undefined;
  const amount = Number(text.trim().replace(",", "."));
  if (text.trim() === "" || Number.isNaN(amount)) return "A number, as 49.90.";
  return isMove && amount < 0 ? "0 or more." : undefined;
}
