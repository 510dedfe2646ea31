import { cut } from "./fill-placeholders.ts";

export type Look = "bold" | "struck" | "code" | "removed" | "added";
/** Text in one look; it is text and nothing else until a channel writes it. */
export type Run = { text: string; look?: Look };
export type Line = Run[];

/** How a receiver writes each look, and what makes text of its markup. */
export type Markup = {
  escape: (text: string, look?: Look) => string;
  marks: Record<Look, readonly [string, string]>;
};

/** For receivers that know no looks: removed and added words as wdiff marks them. */
export const plainMarkup: Markup = {
  escape: (text) => text,
  marks: { bold: ["", ""], struck: ["~", "~"], code: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] },
};

/** White space stays outside of marks: beside it most receivers do not read them. */
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

const lengthOf = (line: Line) => line.reduce((sum, { text }) => sum + text.length, 0);

export function cutLine(line: Line, length: number): Line {
  if (lengthOf(line) <= length) return line;
  const kept: Line = [];
  let room = length;
  for (const run of line) {
    if (run.text.length < room) kept.push(run);
    else return room > 1 ? [...kept, { ...run, text: cut(run.text, room) }] : kept;
    room -= run.text.length;
  }
  return kept;
}

/** The lines that fit into so many characters; what does not is three dots. */
export function fitLines(lines: Line[], limit: number): Line[] {
  const kept: Line[] = [];
  let room = limit;
  for (const line of lines) {
    const length = lengthOf(line) + 1;
    if (length > room) return [...kept, room > 40 ? cutLine(line, room - 1) : [{ text: "…" }]];
    kept.push(line);
    room -= length;
  }
  return kept;
}
