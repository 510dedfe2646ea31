// Lines longer than this are taken apart; a hand-written line stays as it is.
const MAX_LINE = 120;

/** Script, JSON or CSS as lines short enough to diff: as written, or cut after ; { } and , where minified. */
export function splitCode(code: string): string[] {
  const lines: string[] = [];
  for (const raw of code.split(/\r\n?|\n/)) {
    const line = raw.trim();
    if (line === "") continue;
    if (line.length <= MAX_LINE) lines.push(line);
    else cut(line, lines);
  }
  return lines;
}

function cut(line: string, lines: string[]): void {
  let quote = "";
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
      continue;
    }
    if (char === '"' || char === "'" || char === "`") quote = char;
    else if (char === ";" || char === "{" || char === "}" || char === ",") {
      const piece = line.slice(start, at + 1).trim();
      if (piece !== "") lines.push(piece);
      start = at + 1;
    }
  }
  const rest = line.slice(start).trim();
  if (rest !== "") lines.push(rest);
}
