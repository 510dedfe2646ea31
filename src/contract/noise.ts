import { z } from "zod";

const since = z.iso.datetime().nullable().describe("Null where nobody noted it");
const place = z.string().min(1).max(2000);
const id = z.string().regex(/^[0-9a-z]{1,20}$/, "This is no difference's name.");

const Learned = z.object({
  id: id.nullable().describe("Of one difference that the user called noise; null for all of a place"),
  place: z.string(),
  why: z.enum(["twin", "said"]),
  times: z.int(),
  samples: z.array(z.string()),
  since,
});

/** What a job has learned to pass over, what the user wants to hear all the same, and how he wants to hear it. */
export const Noise = z.object({
  learned: z.array(Learned),
  kept: z.array(z.object({ place: z.string(), since })),
  answers: z.array(z.object({ place: z.string(), answer: z.enum(["keepTelling", "daily"]), since })),
});
export const NoisePlace = z.object({ place });
export const NoiseMark = z.object({
  from: z
    .uuid()
    .optional()
    .describe("What it was compared with; without it, what its verdict was made against"),
  ids: z.array(id).min(1).max(100).optional().describe("Some of the differences told; without it, all"),
});
export const NoiseSaid = z
  .object({ id: id.optional(), place: place.optional() })
  .refine(({ id: one, place: other }) => (one === undefined) !== (other === undefined), {
    error: "Say what to take back: an id, or a place.",
  });

/** What differs between two captures and the job's rules leave out. */
export const LeftOut = z.object({
  differences: z.array(
    z.object({
      where: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      rule: z.string().nullable().describe("Null where none of the job's present rules does"),
    }),
  ),
  count: z.int().describe("The list is cut, this is exact"),
});
export type LeftOut = z.infer<typeof LeftOut>;
