import { z } from "zod";
import { Outcome } from "./account.ts";
import { scopeNames } from "./scopes.ts";

export const keyRule = { perAccount: 50, maximumDays: 3650 } as const;

/** How a key looks, so that leaked ones can be searched for. */
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
    .int("Say in how many whole days the key ends.")
    .min(1, "A key lasts one day at least.")
    .max(keyRule.maximumDays, "A key lasts ten years at most; without an end, leave the days out.")
    .nullish()
    .describe("After so many days it ends; without, it lasts until it is revoked"),
});
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z.enum(scopeNames),
  hint: z.string().describe("How the key begins"),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  expired: z.boolean(),
  lastUsedAt: z.iso.datetime().nullable().describe("To the minute"),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeys = z.object({ keys: z.array(ApiKey) });
export const ApiKeyMade = Outcome.extend({
  key: z.string().describe("Shown this once"),
  apiKey: ApiKey,
});
export const ApiKeyParams = z.object({ keyId: z.uuid() });
