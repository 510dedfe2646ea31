import { z } from "zod";
import { Outcome } from "./account.ts";
import { url, visibleText } from "./setting-shapes.ts";

const proxyProtocols = ["http", "https", "socks5"] as const;
export const maxProxies = 20;

/** RFC 1929 counts their bytes in one byte. */
const credential = (label: string) =>
  z
    .string()
    .refine((text) => new TextEncoder().encode(text).length <= 255, `${label} is longer than 255 bytes.`)
    .refine((text) => !/\p{Cc}/u.test(text), `${label} must not contain control characters.`);

export const NewProxy = z.strictObject({
  name: visibleText("Name", 60),
  protocol: z.enum(proxyProtocols, "Choose HTTP, HTTPS or SOCKS5."),
  host: z
    .string("Enter the proxy’s name or address.")
    .trim()
    .min(1, "Enter the proxy’s name or address.")
    .max(253, "The name is longer than 253 characters.")
    .transform((text) => text.replace(/^\[(.*)\]$/, "$1"))
    .refine(
      (text) => /^[\w.:-]+$/.test(text),
      "Enter only a name or an address: the port has a field of its own.",
    ),
  port: z.coerce
    .number("Enter the proxy’s port.")
    .int("The port is a whole number.")
    .min(1, "The port is between 1 and 65535.")
    .max(65_535, "The port is between 1 and 65535."),
  username: credential("The username")
    .refine((text) => !text.includes(":"), "The username must not contain a colon.")
    .default(""),
  password: credential("The password")
    .nullish()
    .describe("When a proxy is changed, a password that is left out stays as it is"),
  looksUpNames: z
    .boolean()
    .default(false)
    .describe("The proxy looks up the names of sites itself; only where the operator allows it"),
  echoUrl: url
    .nullish()
    .describe(
      "A page that answers with the caller’s address, which “Test” then shows; null for the operator’s",
    ),
});
export type NewProxy = z.infer<typeof NewProxy>;

export const PageProxy = z.object({
  id: z.uuid(),
  name: z.string(),
  isShared: z.boolean().describe("Whether the operator provides it to all accounts"),
  protocol: z.enum(proxyProtocols),
  host: z.string().nullable().describe("Null for the operator’s"),
  port: z.int().nullable(),
  username: z.string(),
  hasPassword: z.boolean(),
  looksUpNames: z.boolean(),
  echoUrl: z.string().nullable(),
  lastSuccessAt: z.iso.datetime().nullable().describe("Updated at most once a minute"),
  latencyMs: z.int().nullable().describe("How long the proxy took to open its last connection"),
  address: z.string().nullable().describe("The address from which sites see requests, as last tested"),
  problem: z.string().nullable().describe("Why the proxy is down, as a sentence; null if it isn’t"),
  failedAt: z.iso.datetime().nullable(),
  jobs: z.int().describe("How many of the account’s jobs name it"),
  groups: z.int().describe("How many of the account’s groups name it"),
});
export type PageProxy = z.infer<typeof PageProxy>;

export const Proxies = z.object({
  proxies: z.array(PageProxy),
  mayLookUpNames: z.boolean().describe("Whether the operator lets proxies look up names themselves"),
  hasEchoUrl: z.boolean().describe("Whether the operator has set an echo URL for proxies without their own"),
});
export const ProxyReply = Outcome.extend({ proxy: PageProxy });
export const ProxyParams = z.object({ proxyId: z.uuid() });
