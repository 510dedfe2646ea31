import { UnreadableFile } from "#contract/unreadable-file.ts";
import { isRecord, shorten } from "./draft.ts";

const limits = { depth: 20, settings: 1_000 };

const isSet = (value: unknown, depth = 0): boolean => {
  if (depth > limits.depth) return true;
  const isPartSet = (part: unknown) => isSet(part, depth + 1);
  if (Array.isArray(value)) return value.some(isPartSet);
  if (isRecord(value)) return Object.values(value).some(isPartSet);
  return value !== null && value !== undefined && value !== false && value !== "";
};

/**
 * Names every setting of a file that no reader translates, so that nothing is lost silently. Settings that are empty or
 * switched off are not named. Settings that users look for have sentences of their own.
 */
export function nameLostSettings(
  given: Record<string, unknown>,
  known: ReadonlySet<string>,
  where = "",
  sentences: Record<string, string> = {},
): string[] {
  const settings = Object.entries(given);
  if (settings.length > limits.settings)
    throw new UnreadableFile("An entry of the file has more than 1,000 settings.");
  return settings
    .filter(([key, value]) => !known.has(key) && isSet(value))
    .map(([key, value]) => {
      // A key of the file may be the name of something that every object inherits.
      const own = Object.hasOwn(sentences, key) ? sentences[key] : undefined;
      if (own !== undefined) return own;
      const isShown = ["string", "number", "boolean"].includes(typeof value);
      const shown = isShown && value !== true ? ` (${shorten(String(value), 60)})` : "";
      return `${where}“${shorten(key, 60)}”${shown} isn’t supported.`;
    });
}
