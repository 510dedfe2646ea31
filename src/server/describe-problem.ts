/** What the schema library says of a refused input. */
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

/** A refused input in a sentence: ours where the contract has one, else one that names the field and what it must be. */
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
  // Of several ways a field may be filled, the one that says why it was not.
  const ways = (params.errors ?? []) as { message: string }[][];
  return ways.flat().find((issue) => ownSentence({ message: issue.message, params: {} }))?.message;
}

function requirement({ keyword, message = "", params }: Problem): string {
  const { expected, origin, minimum, maximum, values, format } = params;
  const unit = units[String(origin)] ?? "";
  switch (keyword) {
    case "invalid_type":
      return message.endsWith("received undefined")
        ? "is missing"
        : `must be ${kinds[String(expected)] ?? "of another kind"}`;
    case "too_small":
      return `must be at least ${String(minimum)}${unit}`;
    case "too_big":
      return `must be at most ${String(maximum)}${unit}`;
    case "invalid_value":
      return `must be one of: ${(values as unknown[]).join(", ")}`;
    case "invalid_format":
      return format === "datetime" ? "must be a time, as 2026-01-31T12:00:00Z" : "is not valid";
    default:
      return "is not valid";
  }
}

/** A field that nobody knows, by name, and the one that was probably meant. */
export function unknownWords({ path, known }: { path: string; known: string[] }): string {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const meant = known.find((one) => isNear(one.toLowerCase(), name.toLowerCase()));
  const hint = meant ? `Did you mean “${meant}”?` : `Known are: ${known.join(", ")}.`;
  return `There is no field “${path.slice(0, 100)}”. ${hint}`;
}

/** Whether one letter was left out, put in, or exchanged, or two changed places. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const isSwapped = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  return (left.length <= 1 && right.length <= 1) || isSwapped;
}
