/** Every kind of step. The form, the check of what is entered, and docs/rules.md read this table. */
export const stepKinds = {
  keep: {
    label: "Keep only lines with",
    fields: ["text"],
    means: "lines that contain the text, or that the `/pattern/` matches; all others are left out",
  },
  drop: {
    label: "Leave out lines with",
    fields: ["text"],
    means: "lines that contain the text, or that the `/pattern/` matches, are left out",
  },
  capture: {
    label: "Keep what a pattern captures",
    fields: ["text", "to"],
    means:
      "each match of the `/pattern/` becomes a line: its groups, or all of it if it has none; a form such as `$2: $1` puts them together, `$0` is all of it",
  },
  between: {
    label: "Keep the lines between",
    fields: ["text", "to"],
    means:
      "lines after one with the first text, up to the next one with the second; without that one, to the end",
  },
  replace: {
    label: "Replace",
    fields: ["text", "to"],
    means: "the text, or each match of the `/pattern/`, is replaced; `$1` inserts the first group",
  },
  trim: { label: "Trim lines", fields: [], means: "white space at both ends and blank lines are left out" },
  sort: {
    label: "Sort lines",
    fields: [],
    means: "lines in alphabetical order, so that their order never counts",
  },
  reverse: { label: "Reverse the order", fields: [], means: "the last line comes first" },
  unique: {
    label: "Leave out duplicate lines",
    fields: [],
    means: "only the first of several identical lines stays",
  },
  repeated: {
    label: "Leave out repeated lines",
    fields: [],
    means: "a line that repeats the one right before it is left out",
  },
  first: {
    label: "Keep the first lines",
    fields: ["text"],
    means: "that many lines from the top",
  },
  last: {
    label: "Keep the last lines",
    fields: ["text"],
    means: "that many lines from the end",
  },
} as const satisfies Record<string, { label: string; fields: readonly ("text" | "to")[]; means: string }>;

export type StepKind = keyof typeof stepKinds;
export const stepNames = Object.keys(stepKinds) as [StepKind, ...StepKind[]];
/** One step: what is done, with the text or number that it needs, and the second text of those with two. */
export type TextStep = { do: StepKind; text: string; to: string };

/** A step in words, for messages and lists. */
export function describeStep({ do: kind, text, to }: TextStep): string {
  const { label, fields } = stepKinds[kind];
  const names: readonly string[] = fields;
  const first = names.includes("text") ? ` ${/^\d+$/.test(text) ? text : `“${text}”`}` : "";
  if (!names.includes("to")) return label + first;
  if (kind === "capture") return label + first + (to === "" ? "" : ` as “${to}”`);
  return kind === "between" ? `${label}${first} and “${to}”` : `${label}${first} by “${to}”`;
}
