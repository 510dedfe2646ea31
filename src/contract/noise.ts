import { z } from "zod";

const since = z.iso.datetime().nullable().describe("Null if the time wasn't recorded");
const place = z.string().min(1).max(2000);
const id = z.string().regex(/^[0-9a-z]{1,20}$/, "This isn’t the id of a difference.");

const Learned = z.object({
  id: id.nullable().describe("The difference that the user marked as noise; null for a whole location"),
  place: z.string(),
  why: z.enum(["twin", "said"]),
  times: z.int(),
  samples: z.array(z.string()),
  since,
});

/**
 * What a job has learned to treat as noise (`learned`), locations that the user wants alerts for anyway (`kept`), and
 * how the user wants to be alerted about locations that change often (`answers`). `idleRules` are not learned, but
 * seen: the user may want to correct or delete them.
 */
export const Noise = z.object({
  learned: z.array(Learned),
  kept: z.array(z.object({ place: z.string(), since })),
  answers: z.array(z.object({ place: z.string(), answer: z.enum(["keepTelling", "daily"]), since })),
  idleRules: z
    .array(z.string())
    .describe("The job's own ignore rules that matched nothing at its last five checks or more"),
});
export const NoisePlace = z.object({ place });
export const NoiseMark = z.object({
  from: z.uuid().optional().describe("Execution to compare with; if omitted, the baseline of the verdict"),
  ids: z
    .array(id)
    .min(1)
    .max(100)
    .optional()
    .describe("Differences to mark as noise; if omitted, all alerted differences"),
});
export const NoiseStatement = z
  .object({ id: id.optional(), place: place.optional() })
  .refine(({ id: byId, place: byPlace }) => (byId === undefined) !== (byPlace === undefined), {
    error: "Choose what to undo: an id or a location.",
  });

/** Differences between two captures that the job's rules leave out. */
export const LeftOut = z.object({
  differences: z.array(
    z.object({
      where: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      rule: z.string().nullable().describe("The current rule that leaves it out; null if none was found"),
    }),
  ),
  count: z.int().describe("Exact number of differences; the list has at most 100"),
});
export type LeftOut = z.infer<typeof LeftOut>;
