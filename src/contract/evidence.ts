import { z } from "zod";

const hash = z.string().describe("The daily fingerprint: SHA-256 in hexadecimal");

const AnchorTarget = z.enum(["mail", "webhook", "bucket"]);

/** The daily seals, which prove an account's captures. */
export const Evidence = z.object({
  key: z
    .object({ number: z.int(), fingerprint: z.string().describe("SHA-256 of the public key") })
    .describe("The key (Ed25519) with which this installation signs exports and daily fingerprints"),
  mail: z.boolean().describe("Whether each day's fingerprint is sent by email"),
  webhook: z.string().nullable().describe("The host that gets each day's fingerprint; null for none"),
  bucket: z
    .string()
    .nullable()
    .describe("The bucket with object lock to which this installation writes each day's fingerprint"),
  stamps: z.boolean().describe("Whether this installation uses a time-stamping authority"),
  days: z.array(
    z.object({
      day: z.iso.date(),
      head: hash,
      jobs: z.int(),
      stampedAt: z.iso.datetime().nullable(),
      authority: z.string().nullable(),
      problem: z.string().nullable().describe("Why the day has no time stamp yet"),
      sent: z
        .array(z.object({ to: AnchorTarget, at: z.iso.datetime() }))
        .describe("Where the fingerprint was sent"),
      unsent: z
        .array(z.object({ to: AnchorTarget, problem: z.string() }))
        .describe("Where it could not be sent yet, and why"),
    }),
  ),
});
export type Evidence = z.infer<typeof Evidence>;

export const EvidenceSettings = z
  .object({
    mail: z.boolean("Choose whether to send the daily fingerprint by email.").optional(),
    webhook: z
      .url({ protocol: /^https?$/, error: "The webhook must be an address like https://example.com/hook." })
      .max(2000, "The webhook's address is too long.")
      .nullable()
      .optional()
      .describe("The address that gets each day's fingerprint by POST; null to end it"),
  })
  .refine(({ mail, webhook }) => mail !== undefined || webhook !== undefined, "Nothing to change was given.");
export type EvidenceSettings = z.infer<typeof EvidenceSettings>;
