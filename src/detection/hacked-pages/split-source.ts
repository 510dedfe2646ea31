// Shorter texts can't tell anybody to do anything.
const minLength = 12;

/** Whether a text may be words: in ASCII, it then has a space. */
export const isWordy = (text: string) => text.length >= minLength && /[\s\u0080-\u{10FFFF}]/u.test(text);

/** The texts in JSON; what isn't JSON is one text. */
export function* splitJson(source: string): Generator<string> {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    yield source;
    return;
  }
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string" && isWordy(next)) yield next;
    else if (typeof next === "object" && next !== null) for (const one of Object.values(next)) left.push(one);
  }
}

/**
 * The comments of a script. A sign of a comment in a string counts, too: reading that costs less than knowing better.
 */
export function* splitScript(source: string): Generator<string> {
  yield* splitComments(source);
  for (let at = source.indexOf("//"); at >= 0; ) {
    const end = endOf(source, "\n", at);
    if (isWordy(source.slice(at, end))) yield source.slice(at + 2, end).trim();
    at = source.indexOf("//", end);
  }
}

/** The comments of a style sheet, and the texts that it puts into the page. */
export function* splitStyle(source: string): Generator<string> {
  yield* splitComments(source);
  for (const [, content = ""] of source.matchAll(/content\s*:([^;}]*)/gi))
    if (isWordy(content)) yield unescapeStyle(content.trim().replace(/^["']|["']$/g, ""));
}

function* splitComments(source: string): Generator<string> {
  for (let at = source.indexOf("/*"); at >= 0; ) {
    const end = endOf(source, "*/", at + 2);
    if (isWordy(source.slice(at, end))) yield source.slice(at + 2, end).trim();
    at = source.indexOf("/*", end);
  }
}

function endOf(source: string, mark: string, from: number): number {
  const end = source.indexOf(mark, from);
  return end < 0 ? source.length : end;
}

const unescapeStyle = (text: string) =>
  text.replace(/\\(?:([\da-f]{1,6})\s?|(.))/gi, (_, code?: string, letter = "") => {
    const point = code ? Number.parseInt(code, 16) : 0;
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : letter;
  });
