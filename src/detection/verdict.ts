/** How a snapshot compares with the one before. Plain data: kept as JSON, drawn by the viewer. */
export type Verdict = {
  changed: boolean;
  /** Changed, but every reason that makes it so is folded: for the feed and the digest. A push is `changed && !folded`. */
  folded: boolean;
  /** Folded, and pushed if the next check finds it as it is: new labels around the content. */
  waits?: true;
  /** What waited at the check before is as it was: it is pushed now. */
  stood?: true;
  /** Changed, but told nowhere, and why: "price went up, you asked for down". */
  untold?: string;
  /** Places of this change that changed at 3 of the last 5 checks and of which the user has not said what to do. */
  often: Often[];
  /** Share of the page that stands, 0 to 100, the same whichever side is called the old one. */
  similarity: number;
  severity: Severity;
  /** One line in words, fit for a notification. */
  summary: string;
  /** Heaviest first. Reasons of severity info explain and do not make a change. */
  reasons: Reason[];
  /** What a security person would look for in the new part. */
  findings: Finding[];
  /** Over the canonical lines of both sides (`canonicalLines`), in order. */
  hunks: Hunk[];
  /** Boxes in the pictures; empty when either side has none. */
  regions: Region[];
  /** What of each picture counted, where the job's rules left out some; null where nobody can say. */
  sights?: { old: Sight | null; new: Sight | null };
  /** Differences taken for noise, and why; a long list is cut, `ignoredCount` is exact. */
  ignored: Ignored[];
  ignoredCount: number;
};

/** From what only explains to what must be seen at once. */
export const severities = ["info", "notice", "important", "critical"] as const;
export type Severity = (typeof severities)[number];

/** Sorts the gravest first. */
export function byGravity(a: { severity: Severity }, b: { severity: Severity }): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity);
}

/** What a change can be about. */
export const reasonKinds = [
  "lookup",
  "value",
  "defacement",
  "lure",
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
  /** Told in the feed and the digest only: its places keep changing outside the main content, or the user asked. */
  folded?: true;
};

/** A place that keeps changing, as the memory knows it; `answerOften` takes what the user says of it. */
export type Often = {
  place: string;
  /** At how many of the last five checks it changed, this one included. */
  times: number;
  /** Whether it folds by itself; else it is pushed and the user may want another way. */
  folded: boolean;
  /** The first time that it is listed here: the time to ask, or to say that it folds from now on. */
  isNew: boolean;
};

export type Change = {
  /** The difference's name, by which the user may call it noise; absent where that would mean nothing. */
  id?: string;
  /** Landmark or place, "" when it has none. */
  where: string;
  before: string | null;
  after: string | null;
  /** Set when a piece only went elsewhere. */
  moved?: boolean;
  /** Which of the verdict's regions shows it. */
  region?: number;
  /** Word-level marks of a changed piece: runs of the joined text, in reading order. */
  words?: { op: "same" | "removed" | "added"; text: string }[];
};

export type Finding = {
  kind: FindingKind;
  severity: Severity;
  /** Secrets are masked here already. */
  value: string;
  /** Where it stands: "inline script", "form /login", "line 120". */
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
  /** What it is, in the page's words: “Fjell lamp” 59.00 € → 64.00 €. Absent where the captures do not say. */
  says?: string;
  /** All that differs there was taken for noise. */
  isNoise?: true;
  /** The element it shows, by its index as `Layout` counts them. */
  at?: { old: number | null; new: number | null };
};

/** What of a picture counts: all of it, or only some boxes, without those that are hidden. */
export type Sight = { only: Box[] | null; hidden: Box[] };

export type Box = { x: number; y: number; width: number; height: number };

export type Ignored = {
  /** The place the memory knows it by; "" when recognised by shape alone. */
  place: string;
  before: string | null;
  after: string | null;
  why: NoiseReason;
  /** Since when it is known for noise. */
  since?: string;
  /** What the user said of it, by its name. */
  said?: string;
  /** Which of the verdict's regions shows it. */
  region?: number;
  /** Of how many differences of one sort it is the example; absent where it stands for itself. */
  count?: number;
};

/** A verdict that lists more of what is no news. */
export function withIgnored(verdict: Verdict, more: Ignored[]): Verdict {
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
