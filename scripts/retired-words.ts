// Finds words that the project no longer uses, in the names and comments of the code and in the docs. The table
// "Older names that stay" of docs/glossary.md lists what is stored or shown by the API: as properties these names stay.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "oxc-parser";

const retiredNouns = "desks?|albums?|glimpses?|glasses|lanes?|untold|twins?|sights?|lures?|folded|stood";
const inProse = new RegExp(`^(?:${retiredNouns})$`, "i");
// Plain English in a sentence, but no name for a thing.
const inNames = new RegExp(`^(?:${retiredNouns}|told|said|stands|handed)$`, "i");
const wordsOf = (text: string) => text.split(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z]+/);

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Declared = { node: Node; isProperty: boolean };
type Finding = { line: number; text: string };

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";

/** Whether a text uses retired words. Between backticks there are names, which are checked where they are declared. */
export function isRetiredProse(text: string): boolean {
  return wordsOf(text.replace(/`[^`\n]*`/g, "")).some((word) => inProse.test(word));
}

/** The names between backticks in the first column of the glossary's table of names that stay. */
export function readOlderNames(glossary: string): Set<string> {
  const table = glossary.split("## Older names that stay")[1] ?? "";
  const cells = table.split("\n").map((line) => line.split("|")[1] ?? "");
  return new Set(cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name)));
}

/** Lists the retired words in a file's comments and in the names that it declares. */
export function retiredWordsIn(file: string, code: string, olderNames: Set<string>): Finding[] {
  const { program, comments } = parseSync(file, code);
  const found: Finding[] = [];
  const add = (at: number, text: string) =>
    found.push({ line: code.slice(0, at).split("\n").length, text: text.trim().slice(0, 120) });
  for (const { start, value } of comments) if (isRetiredProse(value)) add(start, value);
  visit(program as unknown as Node);
  return found;

  function visit(node: Node): void {
    for (const { node: id, isProperty } of declaredBy(node)) {
      const name = String(id.name);
      if (isProperty && olderNames.has(name)) continue;
      if (wordsOf(name).some((word) => inNames.test(word))) add(id.start, name);
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  }
}

const properties = new Set(["Property", "TSPropertySignature", "TSMethodSignature", "PropertyDefinition"]);
const named = new Set(["TSTypeAliasDeclaration", "TSInterfaceDeclaration", "ClassDeclaration"]);
const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** The names that a node itself declares, without those of nodes inside it. */
function declaredBy(node: Node): Declared[] {
  if (properties.has(node.type) || node.type === "MethodDefinition") {
    const { key, computed } = node as { key?: unknown; computed?: unknown };
    return isIdentifier(key) && computed !== true ? [{ node: key, isProperty: true }] : [];
  }
  if (node.type === "VariableDeclarator") return variablesOf(node.id);
  if (named.has(node.type)) return variablesOf(node.id);
  if (functions.has(node.type))
    return [node.id, ...(Array.isArray(node.params) ? node.params : [])].flatMap(variablesOf);
  return [];
}

/** The variables of a pattern. `{ untold }` reads a property, which gives the variable its name. */
function variablesOf(pattern: unknown): Declared[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === "Identifier") return [{ node: pattern, isProperty: false }];
  if (pattern.type === "Property") return pattern.shorthand === true ? [] : variablesOf(pattern.value);
  const { left, argument, elements, properties: parts } = pattern;
  return [left, argument, elements, parts].flat().flatMap(variablesOf);
}

const isIdentifier = (value: unknown): value is Node =>
  isNode(value) && (value.type === "Identifier" || value.type === "PrivateIdentifier");

function listFiles(root: string, pattern: RegExp): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

if (import.meta.main) {
  const glossary = join("docs", "glossary.md");
  const olderNames = readOlderNames(readFileSync(glossary, "utf8"));
  const findings: string[] = [];
  const add = (path: string, found: Finding[]) => {
    for (const { line, text } of found) findings.push(`${relative(".", path)}:${line}: ${text}`);
  };
  for (const root of ["src", "scripts", "bench", "e2e"])
    for (const path of listFiles(root, /\.tsx?$/))
      add(path, retiredWordsIn(path, readFileSync(path, "utf8"), olderNames));
  const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...listFiles("docs", /\.md$/)];
  for (const path of pages.filter((page) => page !== glossary)) {
    const lines = readFileSync(path, "utf8").split("\n");
    add(
      path,
      lines.flatMap((text, at) => (isRetiredProse(text) ? [{ line: at + 1, text: text.trim() }] : [])),
    );
  }
  for (const line of findings) console.log(line);
  if (findings.length > 0) console.log(`Use the words of ${glossary} instead.`);
  process.exit(findings.length === 0 ? 0 : 1);
}
