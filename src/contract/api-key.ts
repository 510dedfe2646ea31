import { z } from "zod";
import { scopeNames } from "#accounts/api-key-scopes.ts";
import { Outcome } from "./account.ts";

export const keyRule = { perAccount: 50, maximumDays: 3650 } as const;

/** The format of a key. It is fixed, so that leaked keys can be searched for. */
export const keyPattern = /^wg_[\w-]{43}$/;

export const NewApiKey = z.strictObject({
  name: z
    .string("Name is missing.")
    .normalize("NFC")
    .trim()
    .refine((value) => value !== "" && [...value].length <= 60, "Name must be 1-60 characters.")
    .refine((value) => !/\p{Cc}/u.test(value), "Name must not contain control characters."),
  scope: z.enum(scopeNames, `The scope must be one of: ${scopeNames.join(", ")}.`),
  days: z
    .int("Enter after how many whole days the key expires.")
    .min(1, "A key is valid for at least one day.")
    .max(keyRule.maximumDays, "A key lasts ten years at most; without an end, leave the days out.")
    .nullish()
    .describe("Number of days until the key expires; if omitted, it works until it is revoked"),
});
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z.enum(scopeNames),
  hint: z.string().describe("The first characters of the key"),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  expired: z.boolean(),
  lastUsedAt: z.iso.datetime().nullable().describe("Updated at most once a minute"),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeys = z.object({ keys: z.array(ApiKey) });
export const ApiKeyMade = Outcome.extend({
  key: z.string().describe("The key itself, which is shown only once"),
  apiKey: ApiKey,
});
export const ApiKeyParams = z.object({ keyId: z.uuid() });
