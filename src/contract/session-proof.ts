import { z } from "zod";

/** What a page shows only to somebody who is signed in. */
export const SessionProof = z
  .object({
    selector: z.string().trim().max(1000, "A selector has at most 1,000 characters.").optional(),
    text: z.string().trim().max(200, "At most 200 characters.").optional(),
  })
  .refine(({ selector, text }) => Boolean(selector) || Boolean(text), {
    message: "Enter a text or a CSS selector that the page shows only when you’re signed in.",
    path: ["text"],
  })
  .describe("What the page shows only when you’re signed in: a text, an element, or both");
export type SessionProof = z.infer<typeof SessionProof>;
