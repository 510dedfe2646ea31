import type { JobUpdate } from "#contract/job.ts";
import type { Job } from "../queries.ts";

/** A change of a job's rules that is saved at once, the change that takes it back, and what to say. */
export type RuleChange = { save: JobUpdate; undo: JobUpdate; message: string };
type NumberAlert = { is: "below" | "above"; amount: number };
type TextAlert = { is: "added" | "removed"; text: string };
/** What 'Alert when this…' was answered with. */
export type PickedAlert = NumberAlert | TextAlert;

type Rules = Pick<Job, "selector" | "ignore" | "values" | "alertIf" | "inherited">;

export function watchOnly(job: Rules, selector: string): RuleChange {
  return {
    save: { selector },
    undo: { selector: job.selector },
    message: "From the next check on, only this part is compared.",
  };
}

export function ignorePart({ ignore }: Rules, selector: string): RuleChange {
  return {
    save: { ignore: ignore.includes(selector) ? ignore : [...ignore, selector] },
    undo: { ignore },
    message: "From the next check on, this part is ignored.",
  };
}

export function followNumber({ values }: Rules, selector: string, text: string): RuleChange {
  const { name, list } = follow(values, selector, text);
  return {
    save: { values: list },
    undo: { values },
    message: `The next check starts to follow this number as “${name}”.`,
  };
}

/** Adds a condition on what was picked. */
export function alertOn(job: Rules, selector: string, text: string, alert: PickedAlert): RuleChange {
  return "amount" in alert ? alertOnNumber(job, selector, text, alert) : alertOnText(job, alert);
}

/** Follows the number, unless it is followed already, and adds a condition on it. */
function alertOnNumber(job: Rules, selector: string, text: string, { is, amount }: NumberAlert): RuleChange {
  const { values, alertIf } = job;
  const { name, list } = follow(values, selector, text);
  const condition = { what: "number" as const, is, name, amount, percent: false };
  return {
    save: { values: list, alertIf: withCondition(job, condition) },
    undo: { values, alertIf },
    message: `You’ll get an alert when “${name}” is ${is} ${amount}. ${othersAreRecorded}`,
  };
}

function alertOnText(job: Rules, { is, text }: TextAlert): RuleChange {
  return {
    save: { alertIf: withCondition(job, { what: "text", is, text }) },
    undo: { alertIf: job.alertIf },
    message: `You’ll get an alert when “${text}” is ${is}. ${othersAreRecorded}`,
  };
}

const othersAreRecorded = "Changes that don’t meet your conditions are recorded without an alert.";

type Conditions = NonNullable<Rules["alertIf"]>;

function withCondition(
  { alertIf, inherited }: Rules,
  condition: Conditions["conditions"][number],
): Conditions {
  // A job's own conditions replace its group's, so those are taken over.
  const known = alertIf ?? inherited?.alertIf ?? { match: "any" as const, conditions: [] };
  return {
    match: known.conditions.length > 0 ? known.match : "any",
    conditions: [...known.conditions, condition],
  };
}

function follow(values: Rules["values"], selector: string, text: string) {
  const found = values.find(({ by, rule }) => by === "selector" && rule === selector);
  if (found) return { name: found.name, list: values };
  const base = /\p{Sc}|\b(EUR|USD|GBP|CHF)\b/u.test(text) ? "price" : "number";
  const taken = new Set(values.map(({ name }) => name));
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
  return { name, list: [...values, { name, by: "selector" as const, rule: selector }] };
}
