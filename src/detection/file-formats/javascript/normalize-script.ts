import { type Options, type Program, parse, type Token, tokenizer } from "acorn";
import { type Bindings, findBindings } from "./bindings.ts";

/** A section of code about one statement long: `key` is its normalized form, `text` its source. */
export type Statement = { key: string; text: string };

// A bundle larger than this would take seconds to parse; its lines are compared instead.
const MAX_LENGTH = 3_000_000;
const options: Options = {
  ecmaVersion: "latest",
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
};
const assetName = /^[\w@./~:-]*\.(?:[cm]?js|css|map|json|png|svg|webp|woff2?)$/;

/** Reads a script as statements without layout, comments and minified names; undefined if it is not a script. */
export function normalizeScript(code: string): Statement[] | undefined {
  if (code.length > MAX_LENGTH) return undefined;
  for (const sourceType of ["script", "module"] as const) {
    const tokens: Token[] = [];
    let program: Program;
    try {
      program = parse(code, { ...options, sourceType, onToken: tokens });
    } catch {
      continue;
    }
    return toStatements(code, tokens, bindingsOf(program));
  }
  try {
    return toStatements(code, [...tokenizer(code, options)], new Map());
  } catch {
    return undefined;
  }
}

/** Code nested too deep to walk keeps its names. */
function bindingsOf(program: Program): Bindings {
  try {
    return findBindings(program);
  } catch {
    return new Map();
  }
}

function toStatements(code: string, tokens: Token[], bindings: Bindings): Statement[] {
  const statements: Statement[] = [];
  let key: string[] = [];
  let start = -1;
  tokens.forEach((token, i) => {
    if (token.type.label === "eof") return;
    if (start < 0) start = token.start;
    // Semicolons and commas before a closing brace are a matter of style.
    const next = tokens[i + 1]?.type.label;
    const isStyle = /^[;,]$/.test(token.type.label) && /^(?:[}\]]|eof)$/.test(next ?? "");
    if (!isStyle) key.push(bindings.get(token.start) ?? wordOf(code, tokens, i));
    const endsStatement = /^[;,{}]$/.test(token.type.label);
    if (!endsStatement && next !== "eof" && i < tokens.length - 1) return;
    if (key.length > 0) statements.push({ key: key.join(" "), text: code.slice(start, token.end) });
    key = [];
    start = -1;
  });
  return statements;
}

function wordOf(code: string, tokens: Token[], i: number): string {
  // acorn's types omit the value.
  const token = tokens[i] as Token & { value: unknown };
  if (token.type.label === "string") return JSON.stringify(maskBuildNames(String(token.value), tokens, i));
  if (token.type.label === "num") return String(token.value);
  return code.slice(token.start, token.end);
}

/** Masks names of built files and a loader's table of their hashes: they change with every build. Wallets stay. */
function maskBuildNames(value: string, tokens: Token[], i: number): string {
  if (assetName.test(value)) return value.replace(/[-._~][^\W\d]{0,40}\d\w{0,40}(?=[-.])|[0-9a-f]{8,}/g, "#");
  const isTable = tokens[i - 1]?.type.label === ":" && tokens[i - 2]?.type.label === "num";
  return isTable && /^[0-9a-f]{8,24}$/.test(value) ? "#" : value;
}
