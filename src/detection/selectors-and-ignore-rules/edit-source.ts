/** Replaces the source from `start` to `stop` by `text`. */
export type Edit = { start: number; stop: number; text: string };

/** Applies edits that don't overlap. Line numbers stay the same: removed text leaves its line breaks. */
export function editSource(source: string, edits: Edit[]): string {
  let edited = "";
  let at = 0;
  for (const { start, stop, text } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    const breaks = linesIn(source.slice(start, stop)) - linesIn(text);
    edited += source.slice(at, start) + text + "\n".repeat(Math.max(0, breaks));
    at = stop;
  }
  return edited + source.slice(at);
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

export function startTag(tag: string, attributes: Record<string, string>): string {
  const all = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`,
  );
  return `<${tag}${all.join("")}>`;
}
