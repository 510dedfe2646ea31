import { z } from "zod";

const hash = z.string().describe("SHA-256, hexadecimal");

/** What vouches for an account's captures: the head of each day. */
export const Evidence = z.object({
  mail: z.boolean().describe("Whether the head of each day is mailed"),
  stamps: z.boolean().describe("Whether this installation has a stamp authority"),
  days: z.array(
    z.object({
      day: z.iso.date(),
      head: hash,
      jobs: z.int(),
      stampedAt: z.iso.datetime().nullable(),
      authority: z.string().nullable(),
      problem: z.string().nullable().describe("Why there is no stamp yet"),
    }),
  ),
});
export type Evidence = z.infer<typeof Evidence>;

export const EvidenceSettings = z.object({ mail: z.boolean("Say whether to mail the heads.") });
