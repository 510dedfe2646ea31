type Problem = "altered" | "missing" | "added";

/** What the checks of one export have found so far. */
export type Findings = {
  problems: { problem: Problem; text: string }[];
  notes: string[];
  flag: (problem: Problem, text: string) => void;
  /** Whether the export shows something that no seal covers. */
  hasUnsealed: boolean;
};

export function startFindings(): Findings {
  const problems: Findings["problems"] = [];
  return {
    problems,
    notes: [],
    flag: (problem, text) => void problems.push({ problem, text }),
    hasUnsealed: false,
  };
}

export const countOf = (number: number, one: string, many: string) =>
  `${number} ${number === 1 ? one : many}`;

/** Numbers in ascending order as words: 1 to 3, 7 and 9. */
function describeRanges(numbers: number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const words = ranges.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`));
  if (words.length > 8) return `${words.slice(0, 8).join(", ")} and others`;
  return [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" and ");
}

export const describeExecutions = (numbers: number[]) =>
  `${numbers.length === 1 ? "Execution" : "Executions"} ${describeRanges(numbers)}`;

const longestQuote = 300;

/** Text of an export within a sentence. In quotation marks, so that it can't be read as a part of the sentence. */
export function quoteText(text: unknown): string {
  const whole = String(text).replaceAll('"', "'");
  return `"${whole.length > longestQuote ? `${whole.slice(0, longestQuote)}…` : whole}"`;
}

/** Text of an export, in which characters that could steer a terminal or reverse a line are shown as codes. */
export const showText = (text: unknown) =>
  String(text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
