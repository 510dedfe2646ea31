import { z } from "zod";
import { Execution } from "#contract/job.ts";
import { severities } from "#detection/severity/severity.ts";
import { readBoxes, readTextBoxes } from "#detection/snapshot/layout.ts";
import { boundForStorage } from "#detection/verdict/bound-verdict.ts";
import { reasonKinds, type Verdict } from "#detection/verdict/verdict.ts";

// Archives are validated as strictly as what a check writes, because a record that no check could have written would be
// served and compared like any other. The limits are those of a capture, with some room for other versions.

const list = <Item extends z.ZodType>(item: Item, maximum: number) => z.array(item).max(maximum);
const text = (maximum: number) => z.string().max(maximum);
function record<Value extends z.ZodType>(value: Value, maximum: number) {
  const isBounded = (given: object) => Object.keys(given).length <= maximum;
  return z.record(text(5_000), value).refine(isBounded, "It has too many entries.");
}
const count = z.int().min(0);
const time = z.iso.datetime();
// Pictures are at most 16,000 pixels high. A box may lie outside the picture, but not this far.
const pixels = z.number().min(-10_000_000).max(10_000_000);
const Box = z.object({ x: pixels, y: pixels, width: pixels, height: pixels });
const ComparedArea = z.object({ only: z.array(Box).nullable(), hidden: z.array(Box) });
const flag = z.literal(true).optional();
const Severity = z.enum(severities);
const region = count.optional();

/** A verdict of any version, reduced to what a check stores. */
const PastVerdict = z
  .object({
    changed: z.boolean(),
    folded: z.boolean().optional(),
    waits: flag,
    stood: flag,
    untold: z.string().optional(),
    met: z.string().optional(),
    often: z
      .array(z.object({ place: z.string(), times: count, folded: z.boolean(), isNew: z.boolean() }))
      .optional(),
    similarity: z.number().min(0).max(100),
    severity: Severity,
    summary: z.string(),
    reasons: z.array(
      z.object({
        kind: z.enum(reasonKinds),
        severity: Severity,
        summary: z.string(),
        changes: z.array(
          z.object({
            id: text(200).optional(),
            where: z.string(),
            before: z.string().nullable(),
            after: z.string().nullable(),
            moved: z.boolean().optional(),
            region,
            words: z
              .array(z.object({ op: z.enum(["same", "removed", "added"]), text: z.string() }))
              .optional(),
          }),
        ),
        count,
        folded: flag,
      }),
    ),
    findings: z.array(z.object({ kind: text(50), severity: Severity, value: z.string(), where: z.string() })),
    hunks: z.array(
      z.object({
        oldStart: count,
        newStart: count,
        removed: z.array(z.string()),
        added: z.array(z.string()),
      }),
    ),
    regions: z.array(
      z.object({
        kind: z.enum(["added", "removed", "changed", "moved"]),
        old: Box.nullable(),
        new: Box.nullable(),
        says: z.string().optional(),
        isNoise: flag,
        at: z.object({ old: count.nullable(), new: count.nullable() }).optional(),
      }),
    ),
    sights: z.object({ old: ComparedArea.nullable(), new: ComparedArea.nullable() }).optional(),
    ignored: z.array(
      z.object({
        place: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
        why: text(50),
        since: text(100).optional(),
        said: z.string().optional(),
        region,
        count: count.optional(),
      }),
    ),
    ignoredCount: count.optional(),
  })
  .transform((verdict) => boundForStorage(verdict as Verdict));

const sentence = text(5_000);
const Value = { text: text(1_000).nullable(), number: z.number().nullable() };
const ms = count;
const dayMs = 24 * 3_600_000;

/** An execution as it is recorded in an archive. */
export const ArchivedExecution = Execution.extend({
  createdAt: time.refine((at) => Date.parse(at) > 0 && Date.parse(at) < Date.now() + dayMs),
  index: z.int().min(1),
  status_code: z.int().min(0).max(999).nullable(),
  similarity: z.number().min(0).max(100).nullable(),
  untold: sentence.nullable(),
  values: record(z.object(Value), 100).nullable(),
  summary: sentence,
  error: sentence.nullable(),
  attempts: count.max(1_000),
  // Where the archive itself imported it from; its seal says so too. Older archives don't have it.
  imported: z.object({ at: time, archive: text(100), sealed: z.boolean() }).nullish(),
  verdict: PastVerdict.nullable(),
  log: list(z.object({ at: time, level: z.enum(["info", "warn", "error"]), meta: sentence }), 1_000),
  kept: z
    .object({
      comparedWith: text(100).nullable(),
      failure: z
        .string()
        .regex(/^[a-z-]{1,30}$/)
        .nullable(),
      via: z.enum(["browser", "http"]).nullable(),
      stages: z.object({ wait: ms, capture: ms, confirm: ms, compare: ms, store: ms }).nullable(),
      followed: record(z.object({ ...Value, last: z.number().optional() }), 100).nullable(),
    })
    .optional(),
});
export type ArchivedExecution = z.infer<typeof ArchivedExecution>;

// Addresses and names of headers become lines of web archives, where a line break would begin another line.
const address = text(100_000).refine(
  (url) => /^https?:$/.test(URL.parse(url)?.protocol ?? "") && !/[\s\p{Cc}]/u.test(url),
);
const headerName = text(10_000).regex(/^[^\s\p{Cc}:][^\s\p{Cc}]*$/u);
const maxPageText = 20_000_000;
// Of all texts together: the last of them may begin just below the limit of a capture.
const maxAllText = 2 * maxPageText;
const line = text(2_000_000);
const index = count.max(1_000_000);
const indexes = list(index, 200_000);

/** Boxes packed as text, in which every number can be drawn. */
const packed = (read: (text: string) => unknown[]) =>
  text(20_000_000).refine((boxes) => {
    const rows = /^[-0-9a-z,;]*$/.test(boxes) ? read(boxes) : [{ x: Number.NaN }];
    return rows.length <= 500_000 && rows.every(isDrawable);
  });
const isDrawable = (row: unknown): boolean =>
  row === null ||
  (typeof row === "number"
    ? Math.abs(row) <= 10_000_000
    : Object.values(row as Record<string, unknown>).every(isDrawable));

/** A capture's facts: everything that a capture writes, so that all code that reads them finds what it needs. */
export const Facts = z.object({
  url: address,
  finalUrl: address,
  redirects: list(z.object({ url: line, status: z.int() }), 100),
  status: z.int().min(0).max(999),
  headers: list(z.tuple([headerName, text(1_000_000)]), 5_000),
  protocol: text(100),
  tls: z.object({ issuer: text(5_000), expiresAt: text(100) }).nullable(),
  timing: record(z.number(), 50),
  contentType: text(100_000),
  kind: z.enum(["html", "text", "json", "xml", "javascript", "pdf", "image", "other"]),
  text: list(
    z.object({
      role: z.enum(["heading", "paragraph", "item", "cell", "control", "code", "other"]),
      area: text(100),
      text: text(maxPageText),
    }),
    200_000,
  ).refine((texts) => texts.reduce((sum, one) => sum + one.text.length, 0) <= maxAllText),
  title: line,
  links: list(z.object({ href: line, text: line }), 10_000),
  forms: list(
    z.object({
      action: line,
      method: text(1_000),
      inputs: list(z.object({ name: line, type: text(1_000) }), 50_000),
    }),
    50_000,
  ),
  scripts: list(z.object({ src: line.nullable(), sha256: text(100) }), 50_000),
  thirdPartyHosts: list(text(1_000), 10_000),
  cookies: list(
    z.object({
      name: text(10_000),
      domain: text(1_000),
      secure: z.boolean(),
      httpOnly: z.boolean(),
      sameSite: text(50),
    }),
    2_000,
  ),
  consoleErrors: list(text(5_000), 200),
  picture: z.object({ width: count.max(100_000), height: count.max(100_000) }).nullable(),
  images: list(z.object({ src: line, box: Box }), 2_000).optional(),
  truncated: z.boolean(),
  blocked: list(z.object({ url: line, reason: text(5_000) }), 10_000),
  rendered: z
    .object({
      elements: count,
      hidden: indexes,
      cloaked: indexes,
      shown: indexes,
      written: list(
        z.object({ at: index, before: text(5_000).optional(), after: text(5_000).optional() }),
        200_000,
      ),
    })
    .optional(),
  layout: z.object({ elements: count, boxes: packed(readBoxes), texts: packed(readTextBoxes) }).optional(),
  consent: z
    .object({
      rule: text(200),
      action: z.enum(["reject", "accept", "hide"]),
      result: z.enum(["done", "failed"]),
      text: text(5_000),
      version: text(50),
    })
    .optional(),
  via: z.enum(["browser", "http"]),
});

const Shape = z.object({ minLength: count, maxLength: count, kinds: text(50) });
const since = { since: time.optional() };
const place = text(5_000);
const sample = text(1_000);
const hashed = text(200);
const answer = z.enum(["keepTelling", "daily", "noise"]);

/** A job's noise memory, within the limits of what a check remembers. */
export const Memory = z.object({
  version: z.literal(1),
  captures: count,
  checks: count,
  pieces: record(
    z.object({
      place,
      sample,
      flips: count,
      last: count,
      twin: z.boolean().optional(),
      ...since,
    }),
    3_000,
  ),
  slots: record(
    list(
      z.object({
        value: hashed,
        other: hashed.optional(),
        sample,
        changes: count,
        last: count,
        twin: z.boolean(),
        shape: Shape,
        ...since,
      }),
      20,
    ),
    1_000,
  ),
  seen: record(count, 3_000),
  boxes: list(Box.extend({ kept: flag, said: flag, ...since }), 200),
  told: record(
    z.object({
      checks: list(count, 50),
      shape: Shape,
      asked: flag,
      versions: list(hashed, 50).optional(),
      returns: list(count, 50).optional(),
    }),
    2_000,
  ),
  turns: record(count, 2_000),
  days: list(z.object({ day: z.iso.date(), captures: count, checks: count }), 100).default([]),
  partial: count.default(0),
  waiting: list(place, 1_000).default([]),
  answers: record(answer, 2_000),
  ownErrors: list(z.int().min(400).max(599), 100).default([]),
  idleRules: record(count, 500).default({}),
  toldStatus: z.int().min(400).max(599).nullable().default(null),
  kept: list(place, 2_000),
  said: record(
    z.object({
      place,
      before: sample.nullable(),
      after: sample.nullable(),
      values: list(hashed, 50),
      shape: Shape,
      any: flag,
      at: time,
    }),
    500,
  ).refine((feedback) => Object.keys(feedback).every((id) => /^[0-9a-z]{1,20}$/.test(id))),
  dates: record(time, 5_000),
});

const hash = text(100);

/** The sealed statement, as far as it is compared. */
export const Sealed = z.looseObject({
  number: z.int(),
  parts: record(text(200), 20),
  logLines: count,
});

export const ChainLine = z.object({
  position: z.int(),
  number: z.int(),
  digest: hash,
  hash,
  kept: z.boolean(),
});

/** A job's chain according to its archive; archives from before seals existed say nothing about it. */
export const About = z.looseObject({ id: text(100), chain: z.object({ length: z.int() }).optional() });
