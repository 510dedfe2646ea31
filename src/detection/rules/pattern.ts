import { RE2JS } from "re2js";
import { RuleError } from "./rule-error.ts";

/** Answers the runs of a text, as pairs of offsets, that a pattern matches. Linear, whatever the pattern. */
export type Pattern = (text: string) => [from: number, to: number][];

const flags: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // What every pattern here does anyway.
  g: 0,
  u: 0,
};

const shape = /^\/([^]+)\/([a-z]*)$/;

/** Reads `/pattern/flags`; undefined for what is none: a path such as /etc/passwd has no flags at its end. */
export function readPattern(text: string): Pattern | undefined {
  const compiled = compiledOf(text);
  return (
    compiled &&
    ((line) => {
      const found: [number, number][] = [];
      const matcher = compiled.matcher(line);
      while (matcher.find())
        if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
      return found;
    })
  );
}

/** Reads `/pattern/flags`; answers what its first group matches first, or all of the match where it has none. */
export function readCapture(text: string): ((text: string) => string | undefined) | undefined {
  const compiled = compiledOf(text);
  return (
    compiled &&
    ((line) => {
      const matcher = compiled.matcher(line);
      return matcher.find() ? (matcher.group(compiled.groupCount() > 0 ? 1 : 0) ?? undefined) : undefined;
    })
  );
}

function compiledOf(text: string): RE2JS | undefined {
  const [, source = "", letters = ""] = shape.exec(text) ?? [];
  if (source === "") return undefined;
  const unknown = [...letters].findIndex((letter) => !(letter in flags));
  if (unknown >= 0 && letters.length > 2) return undefined;
  if (unknown >= 0) {
    const at = text.length - letters.length + unknown;
    throw new RuleError(`There is no flag “${letters[unknown]}”: there are i, m and s`, at);
  }
  return compile(source, letters);
}

function compile(source: string, letters: string): RE2JS {
  try {
    return RE2JS.compile(
      source,
      [...letters].reduce((sum, letter) => sum | (flags[letter] ?? 0), 0),
    );
  } catch (error) {
    const { error: reason = "", input = "" } = error as { error?: string; input?: string };
    const at = Math.max(0, source.indexOf(input)) + 1;
    const isPerl = /^\(\?[=!<]|^\\\d/.test(input);
    throw new RuleError(
      isPerl
        ? "A pattern cannot look ahead or behind, nor refer back"
        : `This is not a pattern: ${reason || "it is too large"}`,
      at,
    );
  }
}
