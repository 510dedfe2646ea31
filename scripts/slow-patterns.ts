// Finds patterns in the source whose time grows faster than their input, which the author of a page chooses.
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, relative } from "node:path";
import { type Node, parse } from "acorn";

export type Pattern = { place: string; pattern: RegExp };

/** Every pattern in the server's source, and those that read captured pages in the browser. */
export function patternsIn(root: string): Pattern[] {
  const files = readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.test\.ts$|\/testing\/|\/web\//.test(path));
  return files.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const script = path.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
    const found: Pattern[] = [];
    const options = { ecmaVersion: "latest", sourceType: "module", locations: true } as const;
    visit(parse(script, { ...options, allowReturnOutsideFunction: true }), (node) => {
      if (node.type !== "Literal" || !("regex" in node)) return;
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      const place = `${relative(root, path)}:${node.loc?.start.line}`;
      found.push({ place, pattern: new RegExp(pattern, flags) });
    });
    return found;
  });
}

function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string") visit(child as Node, onNode);
    }
  }
}

const common = [..."aA0 \n\t-./:<>\"'=&%_(),;@#?{[|é中\\\u2028"];

/** Inputs that may slow a pattern down: repeated pieces of itself and common characters, without a matching end. */
export function hostilePieces({ source }: RegExp): string[] {
  const plain = source.replace(/\\[bBdDsSwWpP](\{[^}]*\})?/g, " ").replace(/\\(.)/g, "$1");
  const words = plain.match(/[^\s()[\]{}|^$*+?\\]{2,}/g) ?? [];
  const opening = plain.split(/[|()]/).map((part) => part.replace(/[\^$*+?[\]{}]/g, ""));
  const mixed = words.flatMap((word) => [word, `${word} `, `${word}a`]);
  // Its own pieces come first: a slow pattern is mostly slow on one of them.
  return [...new Set([...mixed, ...opening, words.join(""), words.join(" "), ...common])].filter(Boolean);
}

// A pattern that is slow on a tiny input is worse than quadratic and would never end on the large one. We start with
// the smallest input, because two more characters may take four times as long.
const sizes = { tiny: [20, 22, 24, 36, 50, 70, 100], small: 5_000, large: 40_000 };
// On an input eight times as long a linear pattern takes about eight times as long, a quadratic one sixty-four times.
const tolerated = 25;
const tinyMs = 20;
// Twelve million steps take longer than this, five thousand don't.
const tooQuickToTellMs = 1;
const unbounded = /[*+]|\{\d{1,3},\}/;

/** Finds the piece that a pattern is slow on; undefined if there is none. */
export function slowOn(pattern: RegExp): string | undefined {
  if (!unbounded.test(pattern.source.replace(/\\./g, "").replace(/\[[^\]]*\]/g, ""))) return undefined;
  return hostilePieces(pattern).find((piece) => [1, 2, 3].every(() => grows(pattern, piece)));
}

function grows(pattern: RegExp, piece: string): boolean {
  if (sizes.tiny.some((size) => cost(pattern, piece, size) > tinyMs)) return true;
  const small = cost(pattern, piece, sizes.small);
  return small > tooQuickToTellMs && cost(pattern, piece, sizes.large) > tolerated * small;
}

/**
 * Text ends that a pattern doesn't match: a character that none asks for; if it asks for the end of a line, a separator
 * that isn't one; and what a class leaves out, because `[^\n]*` matches any other end.
 */
function endingsFor(source: string): string[] {
  const leftOut = [...source.matchAll(/\[\^(\\?.)/g)].map(
    ([, first = ""]) => leftOutCharacters[first] ?? first.slice(-1),
  );
  return [
    "\u0001",
    ...(/\.[*+][^\n]*\$/.test(source) ? ["\u2028x"] : []),
    ...[...new Set(leftOut)].slice(0, 2).map((character) => `${character}\u0001`),
  ];
}
const leftOutCharacters: Record<string, string> = {
  "\\n": "\n",
  "\\r": "\r",
  "\\t": "\t",
  "\\s": " ",
  "\\w": "a",
  "\\d": "0",
  "\\p": "a",
};

/** The milliseconds of processor time: unlike the time on the clock, other work on the machine hardly changes them. */
function cost({ source, flags }: RegExp, piece: string, size: number): number {
  const everywhere = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  const texts = endingsFor(source).map((end) => piece.repeat(Math.ceil(size / piece.length)) + end);
  const times = texts.map((text) => {
    const before = process.threadCpuUsage();
    text.replace(everywhere, "");
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(...times);
}
