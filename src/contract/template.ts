import { z } from "zod";
import { channelIds } from "#channels/channel-list.ts";
import { knownPlaceholders, messagePlaceholders } from "#message-templates/placeholders.ts";
import { webhookFormats } from "./delivery.ts";

const placeholdersHint = "May contain placeholders in double braces such as {{title}}";

/** A channel's message template. Empty fields use our default text. */
export const Template = z.object({
  title: z
    .string()
    .trim()
    .max(300, "The title is longer than 300 characters.")
    .refine((title) => !/[\r\n]/.test(title), "A title is one line.")
    .default("")
    .describe(`The title of a message, or the subject of an email. ${placeholdersHint}`),
  text: z
    .string()
    .max(4_000, "The text is longer than 4,000 characters.")
    .default("")
    .describe(
      `The text of a message, or the whole body of a webhook. ${placeholdersHint}, and **bold**, ~~struck~~ and \`code\`. ${knownPlaceholders(messagePlaceholders)}`,
    ),
  format: z.enum(webhookFormats).optional().describe("Format of the body, for webhooks"),
});
export type Template = z.infer<typeof Template>;

/** A job's or a group's message. At a webhook it is what the placeholders `title` and `text` insert. */
export const JobMessage = Template.omit({ format: true });
export type JobMessage = z.infer<typeof JobMessage>;

/** A template to preview, on the newest change of the account or of one job. */
export const PreviewedTemplate = Template.extend({ jobId: z.uuid().optional() });

export const Templates = z.object({
  templates: z
    .partialRecord(z.enum(channelIds), Template)
    .describe("Templates by channel; a channel that isn't listed uses the default text"),
});

const textStyles = ["bold", "struck", "code", "removed", "added"] as const;

export const MessagePreview = z.object({
  of: z
    .object({ job: z.string(), at: z.iso.datetime(), link: z.string() })
    .nullable()
    .describe("The change that the preview shows; null if there is none yet and an example is shown"),
  title: z.string(),
  lines: z.array(z.array(z.object({ text: z.string(), look: z.enum(textStyles).optional() }))),
});
export type MessagePreview = z.infer<typeof MessagePreview>;
