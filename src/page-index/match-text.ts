import { type RawBuilder, sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import type { SearchQuery } from "#contract/page-block.ts";
import type { Database } from "#storage/database.ts";
import { isIndexable, readPattern } from "./read-pattern.ts";

export type SearchedText = Pick<SearchQuery, "q" | "mode">;

export type TextMatch = {
  /** The condition on `text`, and where the match starts and ends in it, counted from 1. */
  matches: RawBuilder<boolean>;
  start: RawBuilder<number>;
  end: RawBuilder<number>;
  /** Whether the text index can look it up. */
  isIndexable: boolean;
};

/** Puts a search into SQL; refuses a pattern that can't be read. */
export function matchText({ q, mode }: SearchedText): TextMatch {
  const text = q.replaceAll("\0", "␀").toWellFormed();
  if (text === "") return { matches: sql<boolean>`true`, start: sql`0`, end: sql`0`, isIndexable: false };
  if (mode === "regex") {
    const { source, anyOf } = readPattern(text);
    return { ...matchPattern(source), isIndexable: anyOf?.every(isIndexable) ?? false };
  }
  const words = mode === "words" ? text.split(/\s+/) : [text.replace(/\s+/g, " ")];
  return { ...matchWords(words), isIndexable: words.some(isIndexable) };
}

const matchPattern = (pattern: string) => ({
  matches: sql<boolean>`text ~ ${pattern}`,
  start: sql<number>`regexp_instr(text, ${pattern})`,
  end: sql<number>`regexp_instr(text, ${pattern}, 1, 1, 1)`,
});

function matchWords(words: string[]): Omit<TextMatch, "isIndexable"> {
  const like = (word: string) => sql`text ilike ${`%${word.replace(/[\\%_]/g, "\\$&")}%`}`;
  const start: RawBuilder<number> =
    words.length === 1 ? sql`strpos(lower(text), lower(${words[0] ?? ""}))` : sql`0`;
  return {
    matches: sql<boolean>`${sql.join(words.map(like), sql` and `)}`,
    start,
    end: words.length === 1 ? sql`${start} + length(${words[0] ?? ""})` : sql`0`,
  };
}

/** Refuses a search for which the whole index would have to be read. */
export function assertIndexable({ mode }: SearchedText, { isIndexable }: TextMatch): void {
  if (isIndexable) return;
  throw new AppError(
    "INVALID_INPUT",
    mode === "regex"
      ? "Every match of this regular expression needs a fixed part of three characters, such as “AKIA”. Or choose a job to search in."
      : "Search for at least three letters or digits in a row, or choose a job to search in.",
    { field: "q" },
  );
}

const statementSeconds = 2;

const refusals: Record<string, string> = {
  "57014": "This search takes too long. Search for something longer or rarer, or choose a job or a kind.",
  "2201B": "PostgreSQL can’t read this regular expression.",
};

/**
 * Runs a search in a transaction of its own, with a limit on the time of each statement. It goes through indexes by
 * account only: reading whole tables would take as long as other accounts have lines, and tell what they consist of.
 */
export async function withTimeLimit<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(statementSeconds * 1000)}`.execute(tx);
      await sql`set local enable_seqscan = off`.execute(tx);
      return work(tx);
    });
  } catch (error) {
    const message = refusals[String((error as { code?: unknown }).code)];
    throw message ? new AppError("INVALID_INPUT", message, { field: "q" }) : error;
  }
}
