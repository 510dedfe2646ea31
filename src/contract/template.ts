import { z } from "zod";
import { channelIds } from "./channels.ts";
import { webhookFormats } from "./delivery.ts";

const placeholdersHint = "Placeholders in double braces, as {{title}}";

/** In which words a channel tells of an alert; what is empty is told in ours. */
export const Template = z.object({
  title: z
    .string()
    .trim()
    .max(300, "The title is longer than 300 characters.")
    .refine((title) => !/[\r\n]/.test(title), "A title is one line.")
    .default("")
    .describe(`${placeholdersHint}; of a mail the subject`),
  text: z
    .string()
    .max(4_000, "The text is longer than 4,000 characters.")
    .default("")
    .describe(`${placeholdersHint}, and **bold**, ~~struck~~ and \`code\`; of a webhook the whole body`),
  format: z.enum(webhookFormats).optional().describe("webhook"),
});
export type Template = z.infer<typeof Template>;

export const Templates = z.object({
  templates: z
    .partialRecord(z.enum(channelIds), Template)
    .describe("A channel that is not here tells in our words"),
});

const looks = ["bold", "struck", "code", "removed", "added"] as const;

export const MessagePreview = z.object({
  of: z
    .object({ job: z.string(), at: z.iso.datetime(), link: z.string() })
    .nullable()
    .describe("The change that it is shown on; null where there is none yet, and an example is"),
  title: z.string(),
  lines: z.array(z.array(z.object({ text: z.string(), look: z.enum(looks).optional() }))),
});
export type MessagePreview = z.infer<typeof MessagePreview>;
