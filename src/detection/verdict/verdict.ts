import type { Severity } from "../severity/severity.ts";

export { bySeverity, type Severity } from "../severity/severity.ts";

/** How a capture compares with its baseline. Plain data: stored as JSON, displayed by the viewer. */
export type Verdict = {
  changed: boolean;
  /**
   * Digest only: changed, but every reason that makes it so is `folded`, so it only goes to the feed and the digest.
   * An alert is sent for `changed && !folded`.
   */
  folded: boolean;
  /** Pending: in the digest, and alerted if the next check still sees it. Set for new labels outside the main content. */
  waits?: true;
  /** The page lost much of its text and gained none: it may be incomplete, so it isn't the next baseline. */
  partial?: true;
  /** What was pending at the previous check is still present: it is alerted now. */
  stood?: true;
  /** Suppressed: changed, but alerted nowhere, and why: "price went up, you asked for down". */
  untold?: string;
  /** Suppressed because a text is there that must not be: the baseline stays, until the text is gone. */
  blocked?: true;
  /** The conditions that it meets, in words, if the job has any: "price below 50". */
  met?: string;
  /** Locations of this change that changed at 3 of the last 5 checks and have no feedback from the user yet. */
  often: Often[];
  /** Share of the page that is unchanged, 0 to 100; the same whichever side is the old one. */
  similarity: number;
  severity: Severity;
  /** One line in words, fit for a notification. */
  summary: string;
  /** Alerted ones first, then by severity. Reasons of severity info explain and don't make a change. */
  reasons: Reason[];
  /** What a security analyst would look for in the new part. */
  findings: Finding[];
  /** Differences between the canonical lines of both sides, in order. */
  hunks: Hunk[];
  /** Boxes in the pictures; empty if either side has no picture. */
  regions: Region[];
  /** Which parts of each picture counted, if the job's rules left some out; null if unknown. */
  sights?: { old: ComparedArea | null; new: ComparedArea | null };
  /** Differences taken for noise, and why. A long list is cut; `ignoredCount` is exact. */
  ignored: Ignored[];
  ignoredCount: number;
};

/** What a change can be about. */
export const reasonKinds = [
  "lookup",
  "value",
  "defacement",
  "lure",
  "ai-instruction",
  "outage",
  "status",
  "redirect",
  "script",
  "form",
  "frame",
  "refresh",
  "hidden-text",
  "link",
  "text",
  "title",
  "meta",
  "contact",
  "control",
  "label",
  "data",
  "header",
  "cookie",
  "content",
  "picture",
] as const;
export type ReasonKind = (typeof reasonKinds)[number];

export type Reason = {
  kind: ReasonKind;
  severity: Severity;
  /** "New script host cdn.example.net", "3 lines added, 1 removed in main". */
  summary: string;
  /** One entry for each thing that differs; long lists are cut, `count` is exact. */
  changes: Change[];
  count: number;
  /** In the feed and the digest only: its locations change frequently outside the main content, or the user asked. */
  folded?: true;
};

/** A location that changes frequently, as the noise memory names it. `answerOften` records the user's answer. */
export type Often = {
  place: string;
  /** At how many of the last five checks it changed, including this one. */
  times: number;
  /** Whether it is digest-only by itself; if not, it is alerted and the user may want otherwise. */
  folded: boolean;
  /** Set for a part that goes back and forth: between how many versions, and how often at the last ten checks. */
  alternates?: { versions: number; times: number };
  /** Whether it is listed for the first time: the time to ask, or to say that it is digest-only from now on. */
  isNew: boolean;
};

export type Change = {
  /** Identifies the difference when the user marks it as noise; absent where that would be meaningless. */
  id?: string;
  /** Landmark or location, "" if it has none. */
  where: string;
  /** What names the row that it is in: the first words of a table's row or list item. Absent if it is in none. */
  row?: string;
  before: string | null;
  after: string | null;
  /** Set if a piece only moved. */
  moved?: boolean;
  /** Index of the verdict's region that shows it. */
  region?: number;
  /** Word-level marks of a changed piece: runs of the joined text, in reading order. */
  words?: { op: "same" | "removed" | "added"; text: string }[];
};

export type Finding = {
  kind: FindingKind;
  severity: Severity;
  /** Secrets are already masked. */
  value: string;
  /** Where it was found: "inline script", "form /login", "line 120". */
  where: string;
};

type FindingKind =
  | "url"
  | "endpoint"
  | "parameter"
  | "form"
  | "input"
  | "script-host"
  | "email"
  | "comment"
  | "bucket"
  | "secret"
  | "source-map"
  | "stack-trace"
  | "directory-listing"
  | "weaker-header"
  | "weaker-cookie";

/** Lines are counted from 0; `removed` and `added` are the lines themselves. */
export type Hunk = {
  oldStart: number;
  newStart: number;
  removed: string[];
  added: string[];
};

/** Pixels. `old` is null for what was added, `new` for what was removed. */
export type Region = {
  kind: "added" | "removed" | "changed" | "moved";
  old: Box | null;
  new: Box | null;
  /** Description in the page's words: “Fjell lamp” 59.00 € → 64.00 €. Absent if the captures don't say. */
  says?: string;
  /** Everything that differs there was taken for noise. */
  isNoise?: true;
  /** Index of the element that it shows, as in `Layout`. */
  at?: { old: number | null; new: number | null };
};

/** Which parts of a picture count: all of it or only some boxes, without the hidden ones. */
export type ComparedArea = { only: Box[] | null; hidden: Box[] };

export type Box = { x: number; y: number; width: number; height: number };

export type Ignored = {
  /** The location by which the noise memory knows it; "" if recognized by shape alone. */
  place: string;
  before: string | null;
  after: string | null;
  why: NoiseReason;
  /** Since when it is known as noise. */
  since?: string;
  /** Id of the user's feedback on it. */
  said?: string;
  /** Index of the verdict's region that shows it. */
  region?: number;
  /** How many differences of one kind it is the example of; absent if it only represents itself. */
  count?: number;
};

/** Whether the user can ask for alerts about an ignored difference: only if it has a location. */
export function canRequestAlerts({ place }: Pick<Ignored, "place">): boolean {
  return place !== "";
}

/** Adds ignored differences to a verdict. */
export function addIgnored(verdict: Verdict, more: Ignored[]): Verdict {
  if (more.length === 0) return verdict;
  const { ignored, ignoredCount } = verdict;
  return { ...verdict, ignored: [...more, ...ignored], ignoredCount: ignoredCount + more.length };
}

export type NoiseReason =
  | "token"
  | "time"
  | "counter"
  | "asset-version"
  | "build"
  | "consent"
  | "widget"
  | "advertisement"
  | "tracking"
  | "rotation"
  | "visitor"
  | "order"
  | "hidden"
  | "markup"
  | "style"
  | "transport"
  | "learned"
  | "alternating"
  | "said"
  | "rule";
