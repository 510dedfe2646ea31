import { z } from "zod";

/** How many views an account can keep. */
export const maxSavedViews = 50;

/** A named filter of the list of all jobs. */
export const NewSavedView = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Enter a name.")
    .max(60, "The name is longer than 60 characters.")
    .describe("A view of the account that has this name is replaced"),
  query: z
    .string()
    .min(1, "A view needs a search, a filter or a sorting.")
    .max(1_000, "The view is longer than 1,000 characters.")
    .describe("The search, filters and sorting, as in the URL of the list"),
});
export type NewSavedView = z.infer<typeof NewSavedView>;

export const SavedView = z.object({ id: z.uuid(), name: z.string(), query: z.string() });
export type SavedView = z.infer<typeof SavedView>;

export const SavedViews = z.object({ views: z.array(SavedView).describe("By name") });
export const SavedViewParams = z.object({ viewId: z.uuid() });
