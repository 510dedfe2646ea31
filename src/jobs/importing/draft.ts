/** A job as another tool's file has it, in our words, and what has none. */
export type Draft = {
  name: string;
  url: string;
  group: string | null;
  /** Minutes. */
  frequency: number | null;
  paused: boolean;
  selector: string | null;
  ignore: string[];
  lookup: { strings: string[]; when: "appears" | "disappears" } | null;
  headers: { name: string; value: string }[];
  awaited: boolean;
  waitFor: { selector?: string; seconds?: number } | null;
  request: {
    method?: "GET" | "POST" | "PUT";
    as?: "form" | "json";
    body?: string;
    userAgent?: string;
    language?: string;
  } | null;
  /** Settings that only archives of ours have, by the names of a new job; they are judged as any new job's are. */
  rest: Record<string, unknown>;
  /** Where its history is in the archive, and what the next execution is compared with. */
  history: { folder: string; baseline: string | null; createdAt: string | null } | null;
  /** What stands in the file and cannot become anything here, in sentences. */
  left: string[];
};

export function draft(given: Partial<Draft> & { url: string }): Draft {
  const { name, url, ...others } = given;
  const called = (name ?? "").replace(/[\p{Cc}\s]+/gu, " ").trim() || url.replace(/^https?:\/\//, "");
  return {
    group: null,
    frequency: null,
    paused: false,
    selector: null,
    ignore: [],
    lookup: null,
    headers: [],
    awaited: false,
    waitFor: null,
    request: null,
    rest: {},
    history: null,
    left: [],
    ...others,
    url: url.trim(),
    name: Array.from(called).slice(0, 120).join(""),
  };
}

/** A file that is not what it should be: the sentence says what it lacks. */
export class UnreadableFile extends Error {}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === "string" ? [value] : [])
    .filter((one): one is string => typeof one === "string")
    .map((one) => one.trim())
    .filter(Boolean);
export const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text.trim());
