import { type Comment, type Options, parse } from "acorn";

const MAX_LENGTH = 1_000_000;
const options: Options = {
  ecmaVersion: "latest",
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
};

/**
 * Removes the comments from code by parsing it, as a browser does. Guessing would allow a quote inside an expression
 * to pass off code as a comment. Code that can't be parsed stays as it is.
 */
export function withoutComments(code: string): string {
  if (code.length > MAX_LENGTH) return code;
  for (const sourceType of ["script", "module"] as const) {
    const comments: Comment[] = [];
    try {
      parse(code, { ...options, sourceType, onComment: comments });
    } catch {
      continue;
    }
    let out = "";
    let from = 0;
    for (const { start, end } of comments) {
      out += code.slice(from, start);
      from = end;
    }
    return out + code.slice(from);
  }
  return code;
}
