// Finds patterns in the source whose time grows faster than what they read: whoever writes a page chooses that.
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, relative } from "node:path";
import { type Node, parse } from "acorn";

export type Pattern = { place: string; pattern: RegExp };

/** Every pattern that the server's source spells, and those that captured pages are read with in the browser. */
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

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each?.type === "string") visit(each as Node, see);
    }
  }
}

const common = [..."aA0 \n\t-./:<>\"'=&%_(),;@#?{[|é中\\\u2028"];

/** What a pattern may be slow on: pieces of itself and common characters, over and over, and nothing that ends them. */
export function hostilePieces({ source }: RegExp): string[] {
  const plain = source.replace(/\\[bBdDsSwWpP](\{[^}]*\})?/g, " ").replace(/\\(.)/g, "$1");
  const words = plain.match(/[^\s()[\]{}|^$*+?\\]{2,}/g) ?? [];
  const opening = plain.split(/[|()]/).map((part) => part.replace(/[\^$*+?[\]{}]/g, ""));
  const mixed = words.flatMap((word) => [word, `${word} `, `${word}a`]);
  // Its own pieces first: what is slow is mostly slow on one of them.
  return [...new Set([...mixed, ...opening, words.join(""), words.join(" "), ...common])].filter(Boolean);
}

// What takes its time on a tiny one is worse than quadratic and would never end on the large one. From the smallest on
// which it shows: two characters more may take four times as long.
const sizes = { tiny: [20, 22, 24, 36, 50, 70, 100], small: 5_000, large: 40_000 };
// Eight times as much to read takes a linear pattern about eight times as long, a quadratic one sixty-four times.
const tolerated = 25;
const tinyMs = 20;
// Twelve million steps take longer than this, five thousand do not.
const tooQuickToTellMs = 1;
const unbounded = /[*+]|\{\d{1,3},\}/;

/** The piece that a pattern is slow on; undefined when there is none. */
export function slowOn(pattern: RegExp): string | undefined {
  if (!unbounded.test(pattern.source.replace(/\\./g, "").replace(/\[[^\]]*\]/g, ""))) return undefined;
  return hostilePieces(pattern).find((piece) => [1, 2, 3].every(() => grows(pattern, piece)));
}

function grows(pattern: RegExp, piece: string): boolean {
  if (sizes.tiny.some((size) => cost(pattern, piece, size) > tinyMs)) return true;
  const small = cost(pattern, piece, sizes.small);
  return small > tooQuickToTellMs && cost(pattern, piece, sizes.large) > tolerated * small;
}

/** What a pattern does not match at the end of a text; where it asks for the end of a line, a separator that is none. */
const endingsFor = (source: string) => (/\.[*+][^\n]*\$/.test(source) ? ["\u0001", "\u2028x"] : ["\u0001"]);

/** The quickest of three: what else runs on the machine only makes it longer. */
function cost({ source, flags }: RegExp, piece: string, size: number): number {
  const everywhere = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  const texts = endingsFor(source).map((end) => piece.repeat(Math.ceil(size / piece.length)) + end);
  const times = texts.map((text) =>
    [1, 2, 3].map(() => {
      const started = performance.now();
      text.replace(everywhere, "");
      return performance.now() - started;
    }),
  );
  return Math.max(...times.map((each) => Math.min(...each)));
}
