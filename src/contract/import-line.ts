import type { ImportReply } from "./import.ts";

/** What an import does one after the other, in the words that follow a count of it. */
export const importStages = {
  addresses: "addresses looked at",
  jobs: "jobs gone through",
  captures: "captures read",
  history: "rows of history written",
} as const;
export type ImportStage = keyof typeof importStages;

/** A line of an import that is told as it goes. */
export type ImportLine =
  | { kind: "progress"; stage: ImportStage; done: number; total: number }
  | { kind: "done"; reply: ImportReply }
  | { kind: "problem"; code: string; message: string; field?: string | undefined };
