import type { ImportReply } from "./import.ts";

/** The stages of an import, in order, each with the words that follow its count. */
export const importStages = {
  addresses: "URLs checked",
  jobs: "jobs prepared",
  captures: "captures read",
  history: "history entries stored",
} as const;
export type ImportStage = keyof typeof importStages;

/** One line of the stream that reports an import's progress. */
export type ImportLine =
  | { kind: "progress"; stage: ImportStage; done: number; total: number }
  | { kind: "done"; reply: ImportReply }
  | { kind: "problem"; code: string; message: string; field?: string | undefined };
