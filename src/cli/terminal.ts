import { styleText } from "node:util";

/** A command's output: results go to standard output, messages and progress to standard error. */
export type Terminal = {
  out: (text: string) => void;
  say: (text: string) => void;
  /** Rewrites one line on a terminal; elsewhere each new text becomes a line. */
  progress: (text: string) => void;
  /** How much of something is done: a bar on a terminal, numbers elsewhere. */
  bar: (done: number, total: number, what: string) => string;
  style: (format: Parameters<typeof styleText>[0], text: string) => string;
  isInteractive: boolean;
  columns: number;
};

/** Text from a page may contain terminal control characters: they are shown as replacements and have no effect. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (character) =>
    character === "\t" || character === "\n" ? character : "\u{fffd}",
  );
}

/** Makes a text fit into one line of a table. */
export const oneLine = (text: string) => printable(text.replace(/\s+/g, " ").trim());

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
/** How many columns a character takes. */
const widthOf = (character: string) => (/^\p{M}|\u200d$/u.test(character) ? 0 : wide.test(character) ? 2 : 1);
const widthOfAll = (text: string) => [...text].reduce((sum, character) => sum + widthOf(character), 0);

/** The part of a line that fits into so many columns. */
function cut(text: string, columns: number): string {
  let left = columns;
  let fitting = "";
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) break;
    fitting += character;
  }
  return fitting;
}

const barWidth = 24;

/** "██████────── 12/24 executions" */
function drawBar(done: number, total: number, what: string): string {
  const share = total > 0 ? Math.min(done / total, 1) : 0;
  const full = Math.round(share * barWidth);
  return `${"█".repeat(full)}${"─".repeat(barWidth - full)} ${countOf(done, total, what)}`;
}
const countOf = (done: number, total: number, what: string) => `${done}/${total} ${what}`;

export function openTerminal(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Terminal {
  let last = "";
  const isInteractive = stderr.isTTY === true;
  const endProgress = () => {
    if (isInteractive && last !== "") stderr.write("\r\u001b[2K");
    last = "";
  };
  return {
    out(text) {
      endProgress();
      stdout.write(`${text}\n`);
    },
    say(text) {
      endProgress();
      stderr.write(`${text}\n`);
    },
    progress(text) {
      if (text === last) return;
      stderr.write(isInteractive ? `\r\u001b[2K${cut(text, (stderr.columns || 80) - 1)}` : `${text}\n`);
      last = text;
    },
    bar: isInteractive ? drawBar : countOf,
    style: (format, text) => styleText(format, text, { stream: stdout }),
    isInteractive,
    columns: stdout.columns || 100,
  };
}

/** Formats rows as a table; columns are as wide as needed, and the last one is not limited. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => widthOfAll(row[at] ?? ""))));
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          at === row.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - widthOfAll(cell)),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
