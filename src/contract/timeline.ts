import { z } from "zod";
import { Execution } from "./job.ts";
import { Moment } from "./moment.ts";

/** A period of a job's history, divided into equal pieces; without bounds, the whole history. */
export const TimelineQuery = z.object({
  from: Moment.optional(),
  to: Moment.optional(),
  pieces: z.coerce.number().int().min(1).max(400).default(120),
});

const TimelinePiece = z.object({
  at: z.iso.datetime(),
  executions: z.int(),
  changes: z.int(),
  failures: z.int(),
  /** The execution to open: the most severe change, or else the newest execution. */
  shown: Execution,
});

export const Timeline = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  total: z.int(),
  firstId: z.uuid().nullable(),
  lastId: z.uuid().nullable(),
  /** Only pieces with at least one execution. */
  pieces: z.array(TimelinePiece),
});
export type Timeline = z.infer<typeof Timeline>;
