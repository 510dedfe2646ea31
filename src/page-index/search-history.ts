import { type RawBuilder, sql } from "kysely";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { FoundLine, FoundStay, LineContext, SearchQuery, SearchResults } from "#contract/page-block.ts";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import { readFacts } from "./index-history.ts";
import { isIndexable, readPattern } from "./read-pattern.ts";
import {
  findLines,
  findSearchedJobs,
  findStays,
  hasTextIndex,
  type LineRow,
  type SearchFilter,
} from "./search-rows.ts";

type Deps = { db: Database; blobs: BlobStore };

/** One search covers at most this many lines that match. */
const maxLines = 2_000;
const statementSeconds = 2;
const excerptLength = 300;
const staysPerLine = 10;

/** Finds the lines of an account's captures that match, with where and when they were seen. */
export async function searchHistory({ db }: Deps, actor: Actor, query: SearchQuery): Promise<SearchResults> {
  const filter = toFilter(query);
  return withTimeLimit(db, async (tx) => {
    const hasIndex = await hasTextIndex(tx);
    const isNarrow = query.jobId !== undefined;
    if (hasIndex && !isNarrow && !filter.isIndexable)
      throw new AppError(
        "INVALID_INPUT",
        query.mode === "regex"
          ? "Every match of this regular expression needs a fixed part of three characters, such as “AKIA”. Or choose a job to search in."
          : "Search for at least three letters or digits in a row, or choose a job to search in.",
        { field: "q" },
      );
    const jobIds = await findSearchedJobs(tx, actor.accountId, query);
    const isScanned = !hasIndex && !isNarrow;
    const found = await findLines(tx, actor.accountId, filter, jobIds, { maxLines, isScanned });
    const shown = found.lines.slice(0, query.limit);
    const ids = shown.map(({ id }) => id);
    const stays = await findStays(tx, actor.accountId, filter, jobIds, { ids, each: staysPerLine });
    return {
      lines: shown.map((row) => toLine(row, stays.get(row.id) ?? [])),
      more: found.lines.length > query.limit,
      total: found.total && toPeriod(found.total),
      isCapped: found.matched > maxLines,
      isScanned,
      jobsToIndex: found.jobsToIndex,
    };
  });
}

function toFilter({ q, mode, from, to, ...rest }: SearchQuery): SearchFilter {
  const common = {
    ...rest,
    ...(from ? { from: new Date(from) } : {}),
    ...(to ? { to: new Date(to) } : {}),
  };
  const text = q.replaceAll("\0", "␀").toWellFormed();
  if (mode === "regex") {
    const { source, anyOf } = readPattern(text);
    return { ...common, ...matchPattern(source), isIndexable: anyOf?.every(isIndexable) ?? false };
  }
  const words = mode === "words" ? text.split(/\s+/) : [text.replace(/\s+/g, " ")];
  return { ...common, ...matchWords(words), isIndexable: words.some(isIndexable) };
}

type Match = Pick<SearchFilter, "matches" | "start" | "end">;

const matchPattern = (pattern: string): Match => ({
  matches: sql<boolean>`text ~ ${pattern}`,
  start: sql<number>`regexp_instr(text, ${pattern})`,
  end: sql<number>`regexp_instr(text, ${pattern}, 1, 1, 1)`,
});

function matchWords(words: string[]): Match {
  const like = (word: string) => sql`text ilike ${`%${word.replace(/[\\%_]/g, "\\$&")}%`}`;
  const start: RawBuilder<number> =
    words.length === 1 ? sql`strpos(lower(text), lower(${words[0] ?? ""}))` : sql`0`;
  return {
    matches: sql<boolean>`${sql.join(words.map(like), sql` and `)}`,
    start,
    end: words.length === 1 ? sql`${start} + length(${words[0] ?? ""})` : sql`0`,
  };
}

const refusals: Record<string, string> = {
  "57014": "This search takes too long. Search for something longer or rarer, or choose a job or a kind.",
  "2201B": "PostgreSQL can’t read this regular expression.",
};

async function withTimeLimit<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = ${sql.lit(statementSeconds * 1000)}`.execute(tx);
      return work(tx);
    });
  } catch (error) {
    const message = refusals[String((error as { code?: unknown }).code)];
    throw message ? new AppError("INVALID_INPUT", message, { field: "q" }) : error;
  }
}

function toPeriod({
  first_at,
  pages,
  pages_now,
  gone_at,
}: Pick<LineRow, "first_at" | "pages" | "pages_now" | "gone_at">) {
  return {
    firstAt: first_at.toISOString(),
    pages,
    pagesNow: pages_now,
    goneAt: pages_now > 0 ? null : (gone_at?.toISOString() ?? null),
  };
}

function toLine(row: LineRow, stays: FoundStay[]): FoundLine {
  return { id: row.id, kind: row.kind, ...cutAround(row), ...toPeriod(row), stays };
}

/** Cuts a text around its match; PostgreSQL counts characters from 1, where some are two code units here. */
function cutAround({
  text,
  start,
  end,
}: Pick<LineRow, "text" | "start" | "end">): Pick<FoundLine, "text" | "match"> {
  const characters = Array.from(text);
  const [first, last] = [Math.max(start - 1, 0), Math.max(end - 1, 0)];
  const from =
    characters.length <= excerptLength
      ? 0
      : Math.max(0, Math.min(first - excerptLength / 3, characters.length - excerptLength));
  const to = Math.min(characters.length, from + excerptLength);
  const lengthOf = (begin: number, until: number) =>
    characters.slice(begin, Math.min(until, to)).join("").length;
  const prefix = from > 0 ? "…" : "";
  const matchStart = prefix.length + lengthOf(from, first);
  return {
    text: prefix + characters.slice(from, to).join("") + (to < characters.length ? "…" : ""),
    match:
      last > first ? { start: matchStart, end: matchStart + lengthOf(first, last) } : { start: 0, end: 0 },
  };
}

const neighbors = 2;

/** A line of visible text of a job's page with its neighbors, as the first capture that saw it shows them. */
export async function readLineContext(
  deps: Deps,
  { accountId }: Actor,
  lineId: number,
  jobId: string,
): Promise<LineContext> {
  const { rows } = await sql<{ text: string; facts: Buffer }>`
    select text, executions.facts from page_blocks
    join page_stays on block_id = page_blocks.id
    join executions on executions.id = first_id
    where page_blocks.id = ${lineId} and page_blocks.account_id = ${accountId} and kind = 'text'
      and page_stays.job_id = ${jobId} and executions.account_id = ${accountId}
    order by first_id desc limit 1
  `.execute(deps.db);
  const [row] = rows;
  const page = row && (await readFacts(deps, accountId, row.facts));
  if (!page) throw new AppError("NOT_FOUND", "This line is no longer stored.");
  const lines = page.text.map(({ text }) => text.replace(/\s+/g, " ").trim());
  const at = lines.findIndex((line) => line.replaceAll("\0", "␀").toWellFormed().includes(row.text));
  const cut = (line: string) => line.slice(0, excerptLength).toWellFormed();
  return {
    before: lines.slice(Math.max(0, at - neighbors), Math.max(0, at)).map(cut),
    line: cut(row.text),
    after: lines.slice(at + 1, at + 1 + neighbors).map(cut),
  };
}
