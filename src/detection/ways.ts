/** How a followed value is found: by itself, or by a rule of its user's. */
// In a file of its own: the command line and the threads that read files need it, and none of what finds values.
export const ways = ["price", "availability", "number", "selector", "pattern"] as const;
export type Way = (typeof ways)[number];
