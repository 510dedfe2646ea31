import type { ConditionKind } from "#alert-conditions/condition-kinds.ts";
import type { AlertIf, Condition } from "#contract/alert-if.ts";
import type { ReasonKind, Severity } from "#detection/verdict/verdict.ts";

/** One row of the condition form; `text` holds the text, the number or the status code. */
export type ConditionField = {
  sort: ConditionKind;
  text: string;
  /** The text of which occurrences are counted, or the name of the followed value. */
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

export function toConditionField(condition: Condition): ConditionField {
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
    case "size":
      return {
        ...newCondition,
        sort: `${condition.of} ${condition.is}`,
        text: String(condition.amount),
      };
    case "similarity":
      return { ...newCondition, sort: `similarity ${condition.is}`, text: String(condition.amount) };
    case "matches": {
      const { is, text, amount } = condition;
      return { ...newCondition, sort: `matches ${is}`, text: String(amount), name: text };
    }
    default:
      return { ...newCondition, sort: `only ${condition.is}` };
  }
}

/** Converts the form's rows to API input. */
export function toAlertIf(match: AlertIf["match"], rows: ConditionField[]): AlertIf | null {
  return rows.length === 0 ? null : { match, conditions: rows.map(conditionOf) };
}

function conditionOf({ sort, text, name, percent, atLeast, kinds }: ConditionField): Condition {
  if (sort === "status") return { what: "status", is: text.trim() };
  if (sort === "severity") return { what: "severity", atLeast };
  if (sort === "reason") return { what: "reason", kinds };
  const [what, is] = sort.split(" ");
  // The names of the kinds are composed of these words.
  if (what === "only") return { what, is: is as "additions" | "removals" };
  if (what === "text") return { what, is: is as "added", text };
  const isMove = is === "up" || is === "down";
  const amount = Number(text.trim().replace(",", "."));
  const limit = { is: is as "above", amount };
  if (what === "similarity") return { what, ...limit };
  if (what === "matches") return { what, ...limit, text: name };
  if (what === "characters" || what === "words" || what === "lines")
    return { what: "size", of: what, ...limit };
  return { what: "number", name, is: is as "up", amount, percent: isMove && percent };
}

/** Whether a kind of condition has a limit that is no followed value's. */
export const isLimit = (sort: ConditionKind) => /^(?:matches|characters|words|lines|similarity) /.test(sort);

/** Returns what is wrong with a row, or undefined. The server also checks the rows as a whole. */
export function checkCondition(
  { sort, text, name, kinds }: ConditionField,
  names: string[],
): string | undefined {
  if (sort.startsWith("text") && text.trim() === "") return "Enter a text.";
  if (sort === "status" && !/^[1-5](\d\d|xx)$/i.test(text.trim()))
    return "Enter a code like 404 or a class like 5xx.";
  if (sort === "reason" && kinds.length === 0) return "Choose at least one kind.";
  if (isLimit(sort)) {
    if (sort.startsWith("matches") && name.trim() === "") return "Enter a text.";
    const limit = text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", "."));
    return limit >= 0 ? undefined : "Enter a number, e.g. 10.";
  }
  if (!sort.startsWith("number")) return undefined;
  if (names.length === 0) return "Add the number under Numbers first.";
  if (!names.includes(name)) return "Choose a number.";
  const isMove = sort === "number up" || sort === "number down";
  if (text.trim() === "" && isMove) return undefined;
  const amount = Number(text.trim().replace(",", "."));
  if (text.trim() === "" || Number.isNaN(amount)) return "Enter a number, e.g. 49.90.";
  return isMove && amount < 0 ? "Enter 0 or more." : undefined;
}
