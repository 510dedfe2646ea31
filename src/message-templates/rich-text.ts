export type Look = "bold" | "struck" | "code" | "removed" | "added";
/** Text in one style; it stays plain text until a channel writes its markup. */
export type Run = { text: string; look?: Look };
export type Line = Run[];

/** How a receiver marks each style, and how text is escaped for it. */
export type Markup = {
  escape: (text: string, look?: Look) => string;
  marks: Record<Look, readonly [string, string]>;
};

/** For receivers without styles: removed and added words are marked as wdiff does. */
export const plainMarkup: Markup = {
  escape: (text) => text,
  marks: { bold: ["", ""], struck: ["~", "~"], code: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] },
};

/** White space stays outside the marks, because most receivers don't recognize marks next to it. */
export function writeLine(line: Line, { escape, marks }: Markup): string {
  return line
    .map(({ text, look }) => {
      const [, before = "", inner = "", after = ""] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? [];
      if (!look || inner === "") return escape(text);
      const [open, close] = marks[look];
      return `${before}${open}${escape(inner, look)}${close}${after}`;
    })
    .join("");
}

export const plainText = (lines: Line[]): string =>
  lines.map((line) => writeLine(line, plainMarkup)).join("\n");

/** Shortens a text without splitting a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text[length - 2] ?? "") ? length - 2 : length - 1;
  return `${text.slice(0, end)}…`;
}

export const lengthOf = (line: Line) => line.reduce((sum, { text }) => sum + text.length, 0);

export function cutLine(line: Line, length: number): Line {
  if (lengthOf(line) <= length) return line;
  const fitting: Line = [];
  let room = length;
  for (const run of line) {
    if (run.text.length < room) fitting.push(run);
    else return room > 1 ? [...fitting, { ...run, text: cut(run.text, room) }] : fitting;
    room -= run.text.length;
  }
  return fitting;
}

/** The lines that fit into `limit` characters; the rest becomes an ellipsis. */
export function fitLines(lines: Line[], limit: number): Line[] {
  const fitting: Line[] = [];
  let room = limit;
  for (const line of lines) {
    const length = lengthOf(line) + 1;
    if (length > room) return [...fitting, room > 40 ? cutLine(line, room - 1) : [{ text: "…" }]];
    fitting.push(line);
    room -= length;
  }
  return fitting;
}
