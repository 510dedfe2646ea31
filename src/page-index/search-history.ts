import { sql } from "kysely";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import {
  type FoundLine,
  type FoundStay,
  isListedKind,
  type LineContext,
  type SearchQuery,
  type SearchResults,
} from "#contract/page-block.ts";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import { readFacts } from "./index-history.ts";
import { assertIndexable, matchText, withTimeLimit } from "./match-text.ts";
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
const excerptLength = 300;
const staysPerLine = 10;

/** Finds the lines of an account's captures that match, with where and when they were seen. */
export async function searchHistory(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  query: SearchQuery & Pick<SearchFilter, "groupIds">,
): Promise<SearchResults> {
  const isList = query.q === "" && isListedKind(query.kind);
  if (query.q === "" && !isList)
    throw new AppError("INVALID_INPUT", "Enter what to search for, or choose a kind to list.", {
      field: "q",
    });
  const match = matchText(query);
  const { from, to, ...rest } = query;
  const filter = { ...rest, from: toDate(from), to: toDate(to) };
  return withTimeLimit(db, async (tx) => {
    const hasIndex = await hasTextIndex(tx);
    const isScanned = !hasIndex && !query.jobId && !isList;
    if (hasIndex && !query.jobId && !isList) assertIndexable(query, match);
    const jobIds = await findSearchedJobs(tx, accountId, filter);
    const found = await findLines(tx, accountId, filter, { match, jobIds, maxLines, isScanned });
    const shown = found.lines.slice(0, query.limit);
    const ids = shown.map(({ id }) => id);
    const stays = await findStays(tx, accountId, filter, { ids, jobIds, each: staysPerLine });
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

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

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
