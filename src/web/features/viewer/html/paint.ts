/** A run of characters in a line: its color, and whether it is marked or a search hit. */
export type Run = { text: string; paint: Paint; mark: boolean; found: boolean };
export type Paint = "plain" | "tag" | "name" | "value" | "comment" | "control";

type Span = { from: number; to: number };

// Comments, tags and attributes; then characters that would change how the rest of the text is read.
const pieces = /(<!--.*?(?:-->|$))|(<\/?[a-z][\w:-]*|\/?>|<![a-z]+)|([\w:@.-]+)(?==)|("[^"]*"?|'[^']*'?)/gi;
const controls = /(?!\t)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Splits a line into colored runs. Captured text stays text: characters that could affect the page are spelled out. */
export function paintLine(line: string, marks: readonly Span[] = [], found: readonly Span[] = []): Run[] {
  const paints = findSpans(line);
  const edges = new Set([0, line.length]);
  for (const { from, to } of [...paints, ...marks, ...found]) edges.add(from).add(to);
  const sorted = [...edges].sort((a, b) => a - b);
  const runs: Run[] = [];
  let paint = 0;
  for (let i = 0; i + 1 < sorted.length; i++) {
    const from = sorted[i] ?? 0;
    const to = sorted[i + 1] ?? 0;
    while ((paints[paint]?.to ?? Number.POSITIVE_INFINITY) <= from) paint++;
    const current = paints[paint];
    const run: Run = {
      text: line.slice(from, to),
      paint: current && current.from <= from ? current.paint : "plain",
      mark: covers(marks, from),
      found: covers(found, from),
    };
    const last = runs.at(-1);
    // Fewer runs mean fewer elements to lay out. Control characters stay separate: each is spelled out by itself.
    if (last && run.paint !== "control" && hasSameStyle(last, run)) last.text += run.text;
    else runs.push(run);
  }
  return runs;
}

function hasSameStyle(a: Run, b: Run): boolean {
  return a.paint === b.paint && a.mark === b.mark && a.found === b.found;
}

/** Spells out characters without a shape of their own as code points, such as "U+202E". */
export function spellOut(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  }).join(" ");
}

function findSpans(line: string): (Span & { paint: Paint })[] {
  const syntax: (Span & { paint: Paint })[] = [];
  const isMarkup = line.includes("<");
  if (isMarkup) {
    for (const match of line.matchAll(pieces)) {
      const [text, comment, tag, name] = match;
      const paint = comment ? "comment" : tag ? "tag" : name ? "name" : "value";
      syntax.push({ from: match.index, to: match.index + text.length, paint });
    }
  }
  const special = [...line.matchAll(controls)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    paint: "control" as const,
  }));
  return special.length === 0 ? syntax : cutOut(syntax, special);
}

/** Cuts control characters out of the syntax spans, so that they are spelled out whatever their color. */
function cutOut(
  syntax: (Span & { paint: Paint })[],
  special: (Span & { paint: Paint })[],
): (Span & { paint: Paint })[] {
  const all = [...special];
  for (const span of syntax) {
    let { from } = span;
    for (const hole of special) {
      if (hole.from < from || hole.from >= span.to) continue;
      if (hole.from > from) all.push({ from, to: hole.from, paint: span.paint });
      from = hole.to;
    }
    if (from < span.to) all.push({ from, to: span.to, paint: span.paint });
  }
  return all.sort((a, b) => a.from - b.from);
}

function covers(list: readonly Span[], at: number): boolean {
  return list.some(({ from, to }) => from <= at && at < to);
}

/** Finds every occurrence of a text in a line, ignoring case. */
export function occurrences(line: string, wanted: string): Span[] {
  if (wanted === "") return [];
  const found: Span[] = [];
  const text = line.toLowerCase();
  const lower = wanted.toLowerCase();
  for (let at = text.indexOf(lower); at >= 0; at = text.indexOf(lower, at + lower.length))
    found.push({ from: at, to: at + lower.length });
  return found;
}
