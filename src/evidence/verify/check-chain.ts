import { type ChainLine, firstLink, leafOf, linkOf } from "../seal-format.ts";
import type { Findings } from "./findings.ts";
import { hasOnlyKeys, isCount, isHash, parseLines } from "./read-json.ts";
import type { Archive } from "./read-zip.ts";

const chainLineKeys = ["position", "number", "digest", "hash", "kept"];

export const isChainLine = (line: unknown): line is ChainLine =>
  hasOnlyKeys(line, chainLineKeys) &&
  isCount(line.position) &&
  isCount(line.number) &&
  isHash(line.digest) &&
  isHash(line.hash) &&
  typeof line.kept === "boolean";

/** The lines of the chain's files. */
export function readChain(zip: Archive, files: string[], { flag }: Findings): ChainLine[] {
  const lines: ChainLine[] = [];
  for (const name of files) {
    const bytes = zip.read(name)?.bytes;
    if (!bytes) flag("altered", `${name} is damaged.`);
    for (const line of parseLines<ChainLine>(bytes)) {
      if (isChainLine(line)) lines.push(line);
      else flag("altered", `A line of ${name} cannot be read.`);
    }
  }
  return lines;
}

/** Checks that each line follows from the one before, and that no execution is named twice. */
export function checkLinks(jobId: string, lines: ChainLine[], { flag }: Findings): void {
  const numbers = new Set<number>();
  let previous = firstLink(jobId);
  let expected = 1;
  for (const line of lines) {
    if (line.position > expected) {
      const last = line.position - 1;
      const gap = expected === last ? `Position ${expected} is` : `Positions ${expected} to ${last} are`;
      flag("missing", `${gap} missing in the chain.`);
    } else if (line.position !== expected) {
      flag("altered", `Position ${line.position} of the chain is where position ${expected} belongs.`);
    } else if (linkOf(previous, line.digest) !== line.hash) {
      flag("altered", `The chain is broken at position ${line.position}, execution ${line.number}.`);
    }
    if (numbers.has(line.number)) flag("altered", `Execution ${line.number} is in the chain twice.`);
    numbers.add(line.number);
    previous = line.hash;
    expected = line.position + 1;
  }
}

/** Compares the end of the chain with what job.json says. */
export function checkEnd(
  end: { length: number; head: string | null } | undefined,
  lines: ChainLine[],
  { flag }: Findings,
): void {
  const { position = 0, hash = null } = lines.at(-1) ?? {};
  if (!end) return;
  if (end.length !== position)
    flag(
      end.length > position ? "missing" : "altered",
      `The chain ends at position ${position}, but job.json says ${end.length}.`,
    );
  else if (end.head !== hash) flag("altered", "The end of the chain is not the one that job.json names.");
}

/** The position of each entry that a daily fingerprint may have for this chain. */
export const leavesOf = (jobId: string, lines: ChainLine[]) =>
  new Map(lines.map(({ position, hash }) => [leafOf(jobId, position, hash), position]));
