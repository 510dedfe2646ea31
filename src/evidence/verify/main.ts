import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Known } from "./check-archive.ts";
import { countOf, showText } from "./findings.ts";
import { BadFile } from "./read-zip.ts";
import { verifyFile } from "./verify-file.ts";

const usage = "Usage: node verify.mjs FILE [--head HASH] [--key HASH]. A HASH has 64 hexadecimal digits.";

/** The command. Prints what was found; returns 0 if intact, 1 if not, 2 if the file can't be checked. */
export function main(args: string[], say: (line: string) => void, program?: string): number {
  const tell = (line: string) => say(showText(line));
  const input = readArguments(args);
  if (!input) {
    tell(usage);
    return 2;
  }
  try {
    const { problems, notes, proves } = verifyFile(input.path, input.known, program);
    for (const { problem, text } of problems) tell(`${problem.toUpperCase()}  ${text}`);
    for (const note of notes) tell(note);
    const isIntact = problems.length === 0;
    tell(
      isIntact
        ? `INTACT: ${proves}`
        : `NOT INTACT: ${countOf(problems.length, "thing is", "things are")} not as sealed.`,
    );
    return isIntact ? 0 : 1;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof BadFile) tell(`This file cannot be checked. ${error.message}`);
    else if (code === "ENOENT") tell("This file doesn't exist.");
    else if (code === "EISDIR") tell("This is a folder: check the ZIP or WACZ file itself.");
    else tell("This file cannot be checked. It cannot be read.");
    return 2;
  }
}

/** Undefined if an argument is missing, unknown or given twice. */
function readArguments(args: string[]): { path: string; known: Known } | undefined {
  const known: Known = {};
  const paths: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const option = /^--(head|key)$/.exec(args[at] ?? "")?.[1] as keyof Known | undefined;
    if (!option) paths.push(args[at] ?? "");
    else if (!/^[\da-f]{64}$/i.test(args[at + 1] ?? "") || known[option]) return undefined;
    else known[option] = args[++at];
  }
  const [path] = paths;
  return path && paths.length === 1 && !path.startsWith("--") ? { path, known } : undefined;
}

// True in the built file too, which then is the script that runs.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = main(
    process.argv.slice(2),
    (line) => void process.stdout.write(`${line}\n`),
    readFileSync(fileURLToPath(import.meta.url), "utf8"),
  );
