import { parse } from "csv-parse/sync";
import { Parser } from "htmlparser2";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import { assertCount, type Draft, draft, type GivenDraft, isWebAddress, maxJobs, shorten } from "./draft.ts";

// Many times what the largest real lists contain besides their addresses.
const limits = { lines: 20_000, columns: 100, row: 100_000, elements: 20_000, attributes: 50, depth: 50 };
const numbers = new Intl.NumberFormat("en");

function refuse(sentence: string): never {
  throw new UnreadableFile(`${sentence} Split the file and import its parts.`);
}

/** Reads a list of URLs, one per line, each with a name or with tags and commas; text after `#` is a comment. */
export function readUrlList(text: string): Draft[] {
  const lines = text.split(/\r?\n/);
  if (lines.length > limits.lines)
    refuse(
      `The list has ${numbers.format(lines.length)} lines; at most ${numbers.format(limits.lines)} are read.`,
    );
  const named = lines.map(removeComment).filter(Boolean);
  assertCount(named.length);
  return named.map((line) => {
    const end = line.search(/\s/);
    if (end < 0) return draft({ url: line });
    const [url, rest] = [line.slice(0, end), line.slice(end, end + 10_000).trim()];
    return rest.includes(",") ? draft({ url, ...readTags(rest) }) : draft({ url, name: rest });
  });
}

/** Tags with commas between them, as far as a job takes them. */
function readTags(text: string): Pick<GivenDraft, "rest" | "left"> {
  const given = text.split(",").map((tag) => tag.replace(/[\p{Cc}\s]+/gu, " ").trim());
  const named = given.filter(Boolean);
  const fitting = named.filter((tag) => tag.length <= 30);
  const tags = fitting.slice(0, 10);
  const lost = named.filter((tag) => !tags.includes(tag));
  return {
    rest: { tags },
    left:
      lost.length > 0
        ? [`Left out, because a job has at most 10 tags of 30 characters: ${lost.join(", ")}.`]
        : [],
  };
}

/** Removes the comment. A pattern that runs to the end of the line would scan the rest again at every `#`. */
function removeComment(line: string): string {
  const at = line.search(/(?:^|\s)#/);
  return (at < 0 ? line : line.slice(0, at)).trim();
}

const columns: Record<string, RegExp> = {
  url: /^(url|uri|address|link|page)$/i,
  name: /^(name|title|label)$/i,
  group: /^(group|tag|tags|folder|category)$/i,
  frequency: /^(frequency|minutes|interval|every)/i,
  selector: /^(selector|css|filter)$/i,
};

/** Reads rows with a header line; the known columns are url, name, group, frequency (minutes) and selector. */
export function readCsv(text: string): Draft[] {
  const rows = parseCsv(text);
  const [head = [], ...body] = rows;
  const at = Object.fromEntries(
    Object.entries(columns).map(([name, pattern]) => [
      name,
      head.findIndex((cell) => pattern.test(cell.trim())),
    ]),
  );
  const hasHead = (at.url ?? -1) >= 0;
  const cellOf = (row: string[], name: string) => row[at[name] ?? -1]?.trim() ?? "";
  if (!hasHead) {
    if (!rows.every((row) => row.some(isWebAddress)))
      throw new UnreadableFile("The CSV has no column called url.");
    assertCount(rows.length);
    return rows.map((row) => {
      const url = row.find(isWebAddress) ?? "";
      return draft({ url, name: row.find((cell) => cell !== url) ?? "" });
    });
  }
  const left = head
    .map((cell) => cell.trim())
    .filter((cell) => cell && !Object.values(columns).some((one) => one.test(cell)))
    .map((cell) => `The column “${shorten(cell, 60)}” is not known.`);
  const filled = body.filter((row) => cellOf(row, "url") !== "");
  assertCount(filled.length);
  return filled.map((row) => {
    const minutes = cellOf(row, "frequency");
    const isMinutes = minutes === "" || (/^\d{1,9}$/.test(minutes) && Number(minutes) > 0);
    return draft({
      url: cellOf(row, "url"),
      name: cellOf(row, "name"),
      group: cellOf(row, "group") || null,
      frequency: minutes !== "" && isMinutes ? Number(minutes) : null,
      problem: isMinutes
        ? null
        : `The frequency “${shorten(minutes, 60)}” is not a whole number of minutes, from 1.`,
      selector: cellOf(row, "selector") || null,
      left,
    });
  });
}

function parseCsv(text: string): string[][] {
  let count = 0;
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      delimiter: [",", ";", "\t"],
      max_record_size: limits.row,
      on_record(row: string[]) {
        if (row.length > limits.columns)
          refuse(`The CSV has ${numbers.format(row.length)} columns; at most ${limits.columns} are read.`);
        if (++count > limits.lines) refuse(`The CSV has more than ${numbers.format(limits.lines)} rows.`);
        return row;
      },
    });
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    if ((error as { code?: unknown }).code === "CSV_MAX_RECORD_SIZE")
      throw new UnreadableFile(
        `A row of the CSV is longer than ${numbers.format(limits.row)} characters, or a quotation mark in it is not closed.`,
      );
    throw new UnreadableFile(`The CSV cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Reads outlines with an address; the outlines that enclose them are groups. For a feed, its page is used, or else the
 * feed itself. The file is parsed as a stream that stops at the depth limit, because the parser's own list of open
 * elements makes deep nesting quadratic.
 */
export function readOpml(text: string): Draft[] {
  const found: Draft[] = [];
  const groups: (string | null)[] = [null];
  let isOpml = false;
  let elements = 0;
  let attributes = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (groups.length > limits.depth)
          throw new UnreadableFile(
            `The outline is nested too deeply: at most ${limits.depth} levels are read.`,
          );
        if (++elements > limits.elements)
          refuse(`The OPML has more than ${numbers.format(limits.elements)} elements.`);
        if (name.toLowerCase() === "opml") isOpml = true;
        attributes = 0;
      },
      onattribute() {
        if (++attributes > limits.attributes)
          throw new UnreadableFile(`An element of the OPML has more than ${limits.attributes} attributes.`);
      },
      onopentag(name, given) {
        const named = Object.fromEntries(
          Object.entries(given).map(([key, value]) => [key.toLowerCase(), value]),
        );
        const url = named.htmlurl || named.xmlurl || named.url;
        const title = named.text || named.title || "";
        const isOutline = name.toLowerCase() === "outline";
        const group = groups.at(-1) ?? null;
        if (isOutline && url && found.length <= maxJobs) found.push(draft({ url, name: title, group }));
        groups.push(isOutline && !url && title ? title : group);
      },
      onclosetag() {
        groups.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  if (!isOpml) throw new UnreadableFile("This isn’t OPML.");
  return found;
}
