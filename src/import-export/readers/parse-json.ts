import { UnreadableFile } from "#contract/unreadable-file.ts";

// Many times what the exports of any tool need. Deeper values exhaust the stack of whatever writes them as text.
const maxDepth = 100;

/** Parses JSON from a file; `problem` says what is wrong with text that is none. */
export function parseJson(text: string, problem: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableFile(problem);
  }
  assertDepth(value);
  return value;
}

/** Refuses a value that is nested too deeply. It goes level by level, so that it needs no stack itself. */
export function assertDepth(value: unknown): void {
  let level = typeof value === "object" && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth)
      throw new UnreadableFile(`The file is nested too deeply: at most ${maxDepth} levels are read.`);
    const next: object[] = [];
    for (const each of level)
      for (const inner of Object.values(each))
        if (typeof inner === "object" && inner !== null) next.push(inner);
    level = next;
  }
}
