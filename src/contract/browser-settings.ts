import { z } from "zod";

const devices = ["desktop", "tablet", "phone"] as const;
const consentAnswers = ["reject", "accept", "leave"] as const;
const blockedTypes = ["images", "fonts", "media", "ads"] as const;

/** A language tag in its usual spelling, such as de-DE; null if it isn't one. */
export function canonicalLanguage(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

function isTimeZone(text: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: text }));
  } catch {
    return false;
  }
}

/** How the browser opens a page. What is left out is as in `defaultBrowser`. */
export const BrowserSettings = z
  .object({
    device: z.enum(devices, "Choose desktop, tablet or phone.").describe("Screen, touch and user agent"),
    colorScheme: z.enum(["light", "dark"], "Choose light or dark.").describe("Light or dark pages"),
    motion: z.enum(["reduced", "full"], "Choose reduced or full.").describe("Whether the page may animate"),
    language: z
      .string()
      .trim()
      .max(35, "At most 35 characters.")
      .refine((text) => canonicalLanguage(text) !== null, "Enter one language, such as de or de-DE.")
      .describe("The visitor's language, such as de-DE"),
    timeZone: z
      .string()
      .trim()
      .max(60, "At most 60 characters.")
      .refine(isTimeZone, "Enter an IANA time zone, such as Europe/Berlin.")
      .describe("The visitor's time zone, such as Europe/Berlin"),
    consent: z
      .enum(consentAnswers, "Choose reject, accept or leave.")
      .describe("The answer to consent banners: reject (or hide where that isn't offered), accept, or leave"),
    block: z
      .array(z.enum(blockedTypes, "Choose images, fonts, media or ads."))
      .max(blockedTypes.length)
      .describe("What isn't loaded; ads by the list of hosts that the operator supplies"),
    scroll: z.boolean().describe("Scroll to the end first, for pages that load more on the way"),
  })
  .partial()
  .describe("How the browser opens the page");
export type BrowserSettings = z.infer<typeof BrowserSettings>;

export const defaultBrowser = {
  device: "desktop",
  colorScheme: "light",
  motion: "reduced",
  consent: "reject",
  block: [],
  scroll: false,
} as const satisfies BrowserSettings;

/** The settings in one spelling and order; null if none is given. */
export function canonicalBrowser(settings: BrowserSettings): BrowserSettings | null {
  const { language, timeZone, block, ...rest } = settings;
  const canonical: BrowserSettings = {
    ...rest,
    ...(language && { language: canonicalLanguage(language) ?? language }),
    ...(timeZone && { timeZone }),
    ...(block && { block: blockedTypes.filter((type) => block.includes(type)) }),
  };
  return Object.keys(canonical).length > 0 ? canonical : null;
}
