import { z } from "zod";

/** The kinds of blocks that a page consists of, with the words for one of them. */
export const blockKinds = {
  text: "Visible text",
  link: "Link",
  script: "Script address",
  "script-hash": "Script hash (SHA-256)",
  form: "Form target",
  host: "Host contacted",
  header: "Response header",
  cookie: "Cookie name",
  email: "Email address",
  title: "Page title",
  status: "Status code",
} as const;
export type BlockKind = keyof typeof blockKinds;
export const blockKindNames = Object.keys(blockKinds) as [BlockKind, ...BlockKind[]];

/** One thing that a page consists of. */
export type PageBlock = { kind: BlockKind; text: string };

/** Kinds of which all blocks can be listed, without a text to search for; with the words for several of them. */
export const listedKinds = {
  host: "Hosts contacted",
  script: "Script addresses",
  form: "Form targets",
  header: "Response headers",
  cookie: "Cookie names",
  email: "Email addresses",
  title: "Page titles",
  status: "Status codes",
} as const satisfies Partial<Record<BlockKind, string>>;

export const isListedKind = (kind: string | undefined): boolean => Object.hasOwn(listedKinds, kind ?? "");

export const searchModes = ["literal", "words", "regex"] as const;
export type SearchMode = (typeof searchModes)[number];
/** Longer than any piece of a long text overlaps the next one, a search could miss what crosses their border. */
export const maxSearchLength = 300;

export const SearchQuery = z.object({
  q: z
    .string()
    .trim()
    .max(maxSearchLength, `Search for at most ${maxSearchLength} characters.`)
    .default("")
    .describe(
      "What to find in the lines of all captures; may be left out to list all of one kind, such as hosts",
    ),
  mode: z
    .enum(searchModes)
    .default("literal")
    .describe(
      "literal: this text, in either case; words: all of these words in one line; regex: a regular expression of PostgreSQL, case-sensitive unless it begins with (?i)",
    ),
  kind: z.enum(blockKindNames).optional(),
  jobId: z.uuid().optional(),
  groupId: z.uuid().optional(),
  tag: z.string().trim().min(1).max(60).optional(),
  from: z.iso.datetime({ offset: true }).optional().describe("Only lines that were on a page after this"),
  to: z.iso.datetime({ offset: true }).optional().describe("Only lines that were on a page before this"),
  sort: z
    .enum(["newest", "fewest", "most"])
    .default("newest")
    .describe(
      "newest: those that appeared last first; fewest, most: by the number of pages that have them now",
    ),
  limit: z.coerce.number().int().min(1).max(200).default(25),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

const Period = z.object({
  firstAt: z.iso.datetime().describe("When it was first seen"),
  pages: z.int().describe("On how many jobs’ pages it was seen"),
  pagesNow: z.int().describe("On how many of them it still is"),
  goneAt: z.iso
    .datetime()
    .nullable()
    .describe("When it was gone from the last page; null if it still is on one"),
});

const FoundStay = z.object({
  jobId: z.uuid(),
  job: z.string(),
  url: z.string(),
  groupId: z.uuid(),
  firstAt: z.iso.datetime(),
  firstExecutionId: z.uuid().describe("The first execution that saw it"),
  lastExecutionId: z.uuid().describe("The last execution that saw it"),
  goneAt: z.iso.datetime().nullable(),
  goneExecutionId: z.uuid().nullable().describe("The first execution without it; null if it is still there"),
});
export type FoundStay = z.infer<typeof FoundStay>;

const FoundLine = Period.extend({
  id: z.int(),
  kind: z.enum(blockKindNames),
  text: z.string().describe("The line from the watched page, cut around the match"),
  match: z
    .object({ start: z.int(), end: z.int() })
    .describe("Where the match is in `text`; both are 0 for several words"),
  stays: z.array(FoundStay).describe("Where and when it was seen, newest first, at most 10"),
});
export type FoundLine = z.infer<typeof FoundLine>;

export const SearchResults = z.object({
  lines: z.array(FoundLine).describe("The lines that match, those that appeared last first"),
  more: z.boolean().describe("Whether more lines match than `limit`"),
  total: Period.nullable().describe("All matching lines together; null if none matches"),
  isCapped: z
    .boolean()
    .describe("Whether more lines match than one search covers, so that `total` counts only some of them"),
  isScanned: z
    .boolean()
    .describe(
      "Whether the database has no text index (extensions pg_trgm and btree_gin), so that only the newest lines were searched",
    ),
  jobsToIndex: z.int().describe("How many jobs have older executions that can’t be searched yet"),
});
export type SearchResults = z.infer<typeof SearchResults>;

export const LineParams = z.object({ lineId: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });
export const LineQuery = z.object({ jobId: z.uuid() });
export const LineContext = z.object({
  before: z.array(z.string()).describe("The two lines before it on the page"),
  line: z.string(),
  after: z.array(z.string()).describe("The two lines after it"),
});
export type LineContext = z.infer<typeof LineContext>;
