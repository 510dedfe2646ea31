/** Normalizes words for comparison: readers don't notice case and white space. */
export const normalizeWords = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();
