/** How a followed value is found: automatically, or by a rule of the user. */
// In its own file, because the command line and the threads that read files need it without the code that finds values.
export const ways = ["price", "availability", "number", "selector", "pattern"] as const;
export type Way = (typeof ways)[number];
