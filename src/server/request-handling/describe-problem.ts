/** Invalid input, as the schema library reports it. */
export type Problem = {
  keyword: string;
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
};

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

const units: Record<string, string> = { string: " characters", array: " entries" };

/** Describes invalid input in a sentence: the contract's own, or one that names the field and what it must be. */
export function describeProblem(problem: Problem): string {
  const own = ownSentence(problem);
  if (own) return own;
  const path = fieldOf(problem);
  const field = path ? `The field “${path}”` : "The request body";
  return `${field} ${requirement(problem)}.`;
}

export function fieldOf({ instancePath }: Pick<Problem, "instancePath">): string {
  return instancePath.split("/").filter(Boolean).join(".");
}

function ownSentence({ message, params }: Pick<Problem, "message" | "params">): string | undefined {
  if (message && /^[A-Z].*\.$/.test(message)) return message;
  // If a field accepts several forms, use the first of their messages that is a sentence of ours.
  const alternatives = (params.errors ?? []) as { message: string }[][];
  return alternatives.flat().find((issue) => ownSentence({ message: issue.message, params: {} }))?.message;
}

function requirement({ keyword, message = "", params }: Problem): string {
  const { expected, origin, minimum, maximum, values, format } = params;
  const unit = units[String(origin)] ?? "";
  switch (keyword) {
    case "invalid_type":
      return message.endsWith("received undefined")
        ? "is missing"
        : `must be ${kinds[String(expected)] ?? "of another type"}`;
    case "too_small":
      return `must be at least ${String(minimum)}${unit}`;
    case "too_big":
      return `must be at most ${String(maximum)}${unit}`;
    case "invalid_value":
      return `must be one of: ${(values as unknown[]).join(", ")}`;
    case "invalid_format":
      return format === "datetime" ? "must be a time such as 2026-01-31T12:00:00Z" : "is not valid";
    default:
      return "is not valid";
  }
}

/** Describes an unknown field, and suggests the one that was probably meant. */
export function describeUnknownField({ path, known }: { path: string; known: string[] }): string {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const meant = known.find((one) => isNear(one.toLowerCase(), name.toLowerCase()));
  const hint = meant ? `Did you mean “${meant}”?` : `Known are: ${known.join(", ")}.`;
  return `There is no field “${path.slice(0, 100)}”. ${hint}`;
}

/** Whether two words differ by one missing, extra or wrong letter, or by two swapped letters. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const maxEnd = Math.min(one.length, other.length) - start;
  while (end < maxEnd && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const isSwapped = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  return (left.length <= 1 && right.length <= 1) || isSwapped;
}
