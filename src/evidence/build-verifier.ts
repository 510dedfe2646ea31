import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

const entry = new URL("./verify/main.ts", import.meta.url);
const sourceFolder = new URL("../", import.meta.url);
const title = `// Checks an export of Watchglass: node verify.mjs FILE [--head HASH] [--key HASH]
// It is part of every export, so it needs Node 20 and nothing else.
`;
const importPattern = /^import \{([^}]*)\} from "([^"]+)";\n/gm;

let built: string | undefined;

/** The verifier as one file of plain JavaScript, for any machine with Node: its modules, joined. */
export function buildVerifier(): string {
  built ??= joinModules(entry);
  return built;
}

/**
 * Puts each module after those that it imports. Their import lines are replaced by one per module of Node. So names at
 * the top level must be unique among all modules; where they aren't, build-verifier.test.ts fails.
 */
function joinModules(first: URL): string {
  const namesByNodeModule = new Map<string, Set<string>>();
  const visited = new Set<string>();
  const texts: string[] = [];
  function add(file: URL): void {
    if (visited.has(file.href)) return;
    visited.add(file.href);
    const text = stripTypeScriptTypes(readFileSync(file, "utf8"));
    for (const [line, names = "", from = ""] of text.matchAll(importPattern)) {
      if (/\bas\b/.test(names)) throw new Error(`The verifier can't be built with ${line}`);
      if (from.startsWith("#")) add(new URL(from.slice(1), sourceFolder));
      else if (from.startsWith(".")) add(new URL(from, file));
      else {
        const known = namesByNodeModule.get(from) ?? [];
        namesByNodeModule.set(from, new Set([...known, ...(names.match(/\w+/g) ?? [])]));
      }
    }
    texts.push(removeBlanks(text.replace(importPattern, "")));
  }
  add(first);
  const imports = [...namesByNodeModule].map(
    ([from, names]) => `import { ${[...names].sort().join(", ")} } from "${from}";\n`,
  );
  return [title + imports.sort().join(""), ...texts].join("\n");
}

/** Removes the blanks at the end of lines and the empty lines that types have left. */
const removeBlanks = (code: string) =>
  `${code
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
