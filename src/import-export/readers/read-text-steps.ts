import { type StepKind, stepKinds, type TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import { isRecord, shorten, texts } from "./draft.ts";

const step = (kind: StepKind, text = "", to = ""): TextStep => ({ do: kind, text, to });

/** Our notation of a regular expression. */
const patternOf = (source: string, flags = ""): string => `/${source.replace(/(?<!\\)\//g, "\\/")}/${flags}`;

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Lines that contain one of several texts, in upper or lower case. */
const keepAnyOf = (given: string[]): TextStep[] => {
  if (given.length === 0) return [];
  const [only] = given;
  const isText = given.length === 1 && only !== undefined && !only.startsWith("/");
  return [step("keep", isText ? only : patternOf(given.map(escapePattern).join("|"), "i"))];
};

/** How changedetection.io treats the text of a watch, as our steps in the same order. */
export function readWatchSteps(
  sources: Record<string, unknown>[],
  left: string[],
): { steps: TextStep[] | null } {
  const has = (key: string) => sources.some((source) => source[key] === true);
  const extracted = [...new Set(sources.flatMap((source) => texts(source.extract_text)))];
  const patterns = extracted.map((text) => {
    const [, source, flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
    return source === undefined
      ? { source: escapePattern(text), flags: "i" }
      : { source, flags: flags.replace(/[^ims]/g, "") };
  });
  const [first] = patterns;
  const isJoinable = patterns.every(({ flags }) => flags === first?.flags);
  if (!isJoinable)
    left.push(
      `“Extract text” has patterns with different flags: only ${shorten(extracted[0] ?? "", 60)} is kept.`,
    );
  const joined = isJoinable ? patterns.map(({ source }) => source).join("|") : (first?.source ?? "");
  const kept = [...new Set(sources.flatMap((source) => texts(source.extract_lines_containing)))];
  const steps = [
    ...keepAnyOf(kept),
    ...(first ? [step("capture", patternOf(joined, first.flags))] : []),
    ...(has("trim_text_whitespace") ? [step("trim")] : []),
    ...(has("remove_duplicate_lines") ? [step("unique")] : []),
    ...(has("sort_text_alphabetically") ? [step("sort")] : []),
  ];
  return { steps: steps.length > 0 ? steps : null };
}

/** Python's notation of groups in ours. */
const withGroups = (form: string) =>
  form.replace(/\\g<(\d)>|\\(\d)/g, (_, long, short) => `$${long ?? short}`);

/** Options of a filter that are part of its translation here. */
const handledOptions: Record<string, string[]> = {
  sort: ["reverse"],
  remove_repeated: ["adjacent"],
  "re.sub": ["pattern", "repl"],
  "re.findall": ["pattern", "repl"],
};

/**
 * Translates a filter of urlwatch or webchanges that works on lines; null if it is none, or has no counterpart. Lines
 * that are left out before any other step are ignore rules, which leave the picture comparable.
 */
export function readStepFilter(
  name: string,
  value: unknown,
  isFirst: boolean,
): { steps: TextStep[]; left: string[] } | null {
  if (isFirst && leavesLinesOut(name)) return null;
  const options = isRecord(value) ? value : {};
  const textOf = (key: string) => (typeof options[key] === "string" ? options[key].slice(0, 1_001) : "");
  const plain = typeof value === "string" ? value.slice(0, 1_001) : textOf("text");
  const pattern = textOf("re") || (name.startsWith("grep") ? plain : "");
  const rule = pattern ? patternOf(pattern) : plain;
  const known = handledOptions[name] ?? ["text", "re"];
  const left = Object.keys(options)
    .filter((key) => !known.includes(key))
    .map((key) => `Of the filter “${name}”, “${shorten(key, 60)}” isn’t supported.`);
  const steps = stepsOf(name, rule, options, textOf);
  return steps && { steps, left };
}

const leavesLinesOut = (name: string) => name === "grepi" || name === "delete_lines_containing";

function stepsOf(
  name: string,
  rule: string,
  options: Record<string, unknown>,
  textOf: (key: string) => string,
): TextStep[] | null {
  switch (name) {
    case "grep":
    case "keep_lines_containing":
      return rule ? [step("keep", rule)] : null;
    case "grepi":
    case "delete_lines_containing":
      return rule ? [step("drop", rule)] : null;
    case "sort":
      return [step("sort"), ...(options.reverse === true ? [step("reverse")] : [])];
    case "reverse":
      return [step("reverse")];
    case "remove-duplicate-lines":
      return [step("unique")];
    case "remove_repeated":
      return [step(options.adjacent === false ? "unique" : "repeated")];
    case "re.sub": {
      const pattern = textOf("pattern") || rule;
      return pattern ? [step("replace", patternOf(pattern), withGroups(textOf("repl")))] : null;
    }
    case "re.findall": {
      const pattern = textOf("pattern") || rule;
      // Without a form, theirs gives all of each match, whatever its groups are.
      return pattern ? [step("capture", patternOf(pattern), withGroups(textOf("repl")) || "$0")] : null;
    }
    default:
      return null;
  }
}

/** Names of the steps, for the lists that say what is imported. */
export const stepWords = (steps: TextStep[]): string =>
  steps.map(({ do: kind }) => stepKinds[kind].label.toLowerCase()).join(", ");
