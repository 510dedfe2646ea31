import { markupRules, movedMarkup } from "./markup-rules.ts";
import { boilerplateMasks, clockRow, copyrightMask, textMasks } from "./mask-rules.ts";
import { memoryRows } from "./memory-rules.ts";
import type { NoiseRow } from "./noise-rule.ts";
import { responseRows } from "./response-rules.ts";
import { textRules, wholeTextRows } from "./text-rules.ts";
import { fileRows, valueRules } from "./value-rules.ts";

/** A part of the table, with the file that holds its rows. The rows of a part are tried in their order. */
export type NoiseTable = { title: string; file: string; rows: readonly NoiseRow[] };

/** All rules by which a difference is noise, in the order in which they are tried. */
export const noiseTables: readonly NoiseTable[] = [
  {
    title: "Masks: a part of the text is not compared",
    file: "mask-rules.ts",
    rows: [...textMasks, copyrightMask, ...boilerplateMasks, clockRow],
  },
  {
    title: "Text: one difference, and where it is",
    file: "text-rules.ts",
    rows: [...wholeTextRows, ...textRules],
  },
  { title: "What the memory knows", file: "memory-rules.ts", rows: memoryRows },
  {
    title: "Code, response and pictures",
    file: "response-rules.ts",
    rows: responseRows,
  },
  { title: "Values of files", file: "value-rules.ts", rows: [...valueRules, ...fileRows] },
  { title: "Markup that nothing else reports", file: "markup-rules.ts", rows: [movedMarkup, ...markupRules] },
];

export const noiseRows: readonly NoiseRow[] = noiseTables.flatMap(({ rows }) => rows);
