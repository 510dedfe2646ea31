// Lines longer than this are split; a hand-written line stays whole.
const MAX_LINE = 120;

/** Splits script, JSON or CSS into lines short enough to diff: as written, or cut after ; { } and , if minified. */
export function splitCode(code: string): string[] {
  const lines: string[] = [];
  for (const raw of code.split(/\r\n?|\n/)) {
    const line = raw.trim();
    if (line === "") continue;
    if (line.length <= MAX_LINE) lines.push(line);
    else splitLine(line, lines);
  }
  return lines;
}

const [ends, quotes, escape] = [1, 2, 3];
const kinds = new Uint8Array(128);
for (const char of ";{},") kinds[char.charCodeAt(0)] = ends;
for (const char of "\"'`") kinds[char.charCodeAt(0)] = quotes;
kinds["\\".charCodeAt(0)] = escape;

function splitLine(line: string, lines: string[]): void {
  let quote = 0;
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    const kind = code < 128 ? kinds[code] : 0;
    if (kind === 0) continue;
    if (quote !== 0) {
      if (kind === escape) at++;
      else if (code === quote) quote = 0;
    } else if (kind === quotes) quote = code;
    else if (kind === ends) {
      const piece = line.slice(start, at + 1).trim();
      if (piece !== "") lines.push(piece);
      start = at + 1;
    }
  }
  const rest = line.slice(start).trim();
  if (rest !== "") lines.push(rest);
}
