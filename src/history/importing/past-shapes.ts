import { z } from "zod";
import { Comparison, Execution } from "#contract/job.ts";

const stages = z.object({
  wait: z.number(),
  capture: z.number(),
  confirm: z.number(),
  compare: z.number(),
  store: z.number(),
});
/** An execution as an archive has it. */
export const PastExecution = Execution.extend({
  createdAt: z.iso.datetime().refine((at) => Date.parse(at) > 0),
  verdict: Comparison.omit({ from: true, to: true }).loose().nullable(),
  log: z.array(
    z.object({ at: z.iso.datetime(), level: z.enum(["info", "warn", "error"]), meta: z.string() }),
  ),
  kept: z
    .object({
      comparedWith: z.string().nullable(),
      failure: z.string().nullable(),
      via: z.string().nullable(),
      stages: stages.nullable(),
      followed: z
        .record(
          z.string(),
          z.object({
            text: z.string().nullable(),
            number: z.number().nullable(),
            last: z.number().optional(),
          }),
        )
        .nullable(),
    })
    .optional(),
});
export type PastExecution = z.infer<typeof PastExecution>;

/** A capture's facts, as far as all that reads them needs; the rest comes along as it is. */
export const Facts = z.looseObject({
  url: z.string(),
  finalUrl: z.string(),
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  kind: z.enum(["html", "text", "json", "xml", "javascript", "pdf", "image", "other"]),
  text: z.array(z.object({ role: z.string(), area: z.string(), text: z.string() })),
  title: z.string(),
  links: z.array(z.object({ href: z.string(), text: z.string() })),
  forms: z.array(z.looseObject({ action: z.string(), inputs: z.array(z.looseObject({ name: z.string() })) })),
  scripts: z.array(z.looseObject({ sha256: z.string() })),
  picture: z.looseObject({ width: z.int(), height: z.int() }).nullable(),
});

const Shape = z.object({ minLength: z.number(), maxLength: z.number(), kinds: z.string() });
const since = { since: z.string().optional() };
const flag = z.literal(true).optional();
/** What was learned of a job's noise. */
export const Memory = z.object({
  version: z.literal(1),
  captures: z.number(),
  checks: z.number(),
  pieces: z.record(
    z.string(),
    z.object({
      place: z.string(),
      sample: z.string(),
      flips: z.number(),
      last: z.number(),
      twin: z.boolean().optional(),
      ...since,
    }),
  ),
  slots: z.record(
    z.string(),
    z.array(
      z.object({
        value: z.string(),
        other: z.string().optional(),
        sample: z.string(),
        changes: z.number(),
        last: z.number(),
        twin: z.boolean(),
        shape: Shape,
        ...since,
      }),
    ),
  ),
  seen: z.record(z.string(), z.number()),
  boxes: z.array(
    z.object({
      x: z.number(),
      y: z.number(),
      width: z.number(),
      height: z.number(),
      kept: flag,
      said: flag,
      ...since,
    }),
  ),
  told: z.record(z.string(), z.object({ checks: z.array(z.number()), shape: Shape, asked: flag })),
  turns: z.record(z.string(), z.number()),
  waiting: z.array(z.string()).default([]),
  answers: z.record(z.string(), z.enum(["keepTelling", "daily", "noise"])),
  kept: z.array(z.string()),
  said: z.record(
    z.string(),
    z.object({
      place: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      values: z.array(z.string()),
      shape: Shape,
      any: flag,
      at: z.string(),
    }),
  ),
  dates: z.record(z.string(), z.string()),
});

/** The words that were sealed, as far as they are compared. */
export const Sealed = z.looseObject({
  number: z.int(),
  parts: z.record(z.string(), z.string()),
  logLines: z.int(),
});

export const ChainLine = z.object({
  position: z.int(),
  number: z.int(),
  digest: z.string(),
  hash: z.string(),
  kept: z.boolean(),
});

/** A job's chain as its archive says it was; archives from before there were seals say nothing. */
export const About = z.looseObject({ id: z.string(), chain: z.object({ length: z.int() }).optional() });
