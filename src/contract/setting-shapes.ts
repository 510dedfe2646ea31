import { z } from "zod";
import { channelIds } from "#channels/channel-list.ts";
import { knownPlaceholders, placeholders } from "#message-templates/placeholders.ts";
import { requestMethods } from "./request-method.ts";

export const headerRule = { maximum: 10 } as const;

export const visibleText = (label: string, maximum: number) =>
  z
    .string(`${label} is missing.`)
    // The database stores half a character as another one, which two different names would share.
    .overwrite((value) => value.toWellFormed())
    .normalize("NFC")
    .trim()
    .refine(
      (value) => value !== "" && Array.from(value).length <= maximum,
      `${label} must be 1-${maximum} characters.`,
    )
    .refine((value) => !/\p{Cc}/u.test(value), `${label} must not contain control characters.`);

export const url = z.string("URL is missing.").min(1, "URL is missing.").max(2048, "URL is too long.");
export const Header = z.object({ name: z.string().min(1).max(256), value: z.string().max(8192) });
export type NamedHeader = z.infer<typeof Header>;
export const Headers = z.array(Header).max(headerRule.maximum, `At most ${headerRule.maximum} headers.`);
const strings = z.array(visibleText("A string", 1000)).max(50, "At most 50 strings.");

export const triggerMethods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"] as const;
export const Trigger = z.object({
  url,
  method: z.enum(triggerMethods),
  body: z
    .string()
    .max(64 * 1024, "The trigger's body is larger than 64 KiB.")
    .default("")
    .describe(
      `The request body, with placeholders in double braces such as {{summary}}. ${knownPlaceholders(placeholders)}`,
    ),
  strings: strings.default([]),
  headers: Headers.default([]),
});
export type Trigger = z.infer<typeof Trigger>;

export const Lookup = z.object({ strings: strings.min(1), when: z.enum(["appears", "disappears"]) });
export type Lookup = z.infer<typeof Lookup>;

export const WaitFor = z
  .object({
    selector: z.string().trim().max(1000).optional().describe("Until an element matches and is shown"),
    text: z
      .string()
      .trim()
      .max(200, "At most 200 characters.")
      .optional()
      .describe("Until the page shows these words"),
    quiet: z.boolean().optional().describe("Until the page has made no request for a second"),
    seconds: z
      .number("Enter the number of seconds to wait.")
      .int("Whole seconds.")
      .min(1, "At least one second.")
      .max(15, "At most 15 seconds.")
      .optional(),
  })
  .describe("What to wait for before the page is captured, at most 15 seconds each");
export type WaitFor = z.infer<typeof WaitFor>;

export const maxRuleLength = 1000;
export const tooLong = "A rule is at most 1,000 characters.";
export const NotInherited = z
  .object({
    selector: z.boolean().default(false).describe("Leave out the group's selector"),
    ignore: z
      .array(z.string().min(1).max(maxRuleLength, tooLong))
      .max(50, "At most 50 rules.")
      .default([])
      .describe("The group's ignore rules to leave out, as the group has them"),
  })
  .describe("What the job doesn't inherit from its group");
export const Schedule = z
  .object({
    zone: z.string("Choose a time zone.").trim().max(60).describe("IANA time zone, such as Europe/Berlin"),
    week: z
      .array(z.array(z.int().min(0).max(23)).max(24))
      .length(7, "A week has seven days.")
      .optional()
      .describe("For each day, Monday first: the hours (0-23) in which the job is checked at its frequency"),
    cron: z
      .string()
      .trim()
      .max(100, "At most 100 characters.")
      .optional()
      .describe("Cron expression (minute, hour, day, month, weekday) that replaces hours and frequency"),
  })
  .describe("When the job is checked; two checks are never closer together than the plan's minimum interval");

const optionalText = (label: string, maximum: number) =>
  z
    .string()
    .trim()
    .max(maximum, `At most ${maximum} characters.`)
    .refine((value) => !/\p{Cc}/u.test(value), `${label} must not contain control characters.`);
export const PageRequest = z
  .object({
    method: z
      .enum(requestMethods, "Choose GET, POST, PUT, PATCH, DELETE, OPTIONS or HEAD.")
      .default("GET")
      .describe("HEAD compares only the status and the headers"),
    as: z.enum(["form", "json"], "Choose form or json.").default("form").describe("Format of the body"),
    body: z
      .string()
      .max(64 * 1024, "The body is larger than 64 KiB.")
      .default("")
      .describe("The request body; like the URL, it may contain dates such as {{date:yyyy-MM-dd}}"),
    userAgent: optionalText("The user agent", 300)
      .default("")
      .describe("If empty, the browser's own user agent is sent"),
    language: optionalText("The language", 100)
      .regex(/^[\w\-,;=.* ]*$/, "A language as de-DE, or several: de-DE, de;q=0.8.")
      .default("")
      .describe("Accept-Language header, such as de-DE; if empty, en-US"),
  })
  .describe("How the page is requested");
export type PageRequest = z.infer<typeof PageRequest>;

const failureCount = z.literal([1, 2, 3, 10], "After 1, 2, 3 or 10 failed checks.");
export const TellFailures = z
  .object({
    down: failureCount.describe("Number of failed checks if the site doesn't respond, or not as expected"),
    gone: failureCount.describe("Number of failed checks if the selector matches nothing on the page"),
  })
  .describe("After how many failed checks in a row you get an alert (2 by default); recovery is alerted too");
export type TellFailures = z.infer<typeof TellFailures>;

/** In a list of proxies, our own connection. */
export const directProxy = "direct";
const maxProxiesPerJob = 3;
export const ChosenProxies = z
  .array(z.union([z.uuid(), z.literal(directProxy)], "Choose one of your proxies."))
  .max(maxProxiesPerJob, `At most ${maxProxiesPerJob} proxies.`)
  .refine((list) => new Set(list).size === list.length, "The same proxy is listed twice.")
  .refine(
    (list) => !list.slice(0, -1).includes(directProxy),
    "After the direct connection no proxy is tried: list it last.",
  )
  .describe(
    "Ids of the proxies that the page is requested through, in order: the next one is used if those before it are down. “direct” is the server’s own connection, and what an empty list means",
  );

export const ChosenChannels = z
  .array(z.enum(channelIds))
  .min(1, "Choose at least one channel.")
  .describe("The channels that alerts are sent to; null for all channels of the account");

// Replies aren't validated again for limits that were checked on input.
export const ShownTrigger = z.object({
  url: z.string(),
  method: z.enum(triggerMethods),
  body: z.string(),
  strings: z.array(z.string()),
  headers: z.array(Header),
});
export const ShownLookup = z.object({
  strings: z.array(z.string()),
  when: z.enum(["appears", "disappears"]),
});
