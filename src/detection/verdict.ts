/** How a snapshot compares with the one before. Plain data: kept as JSON, drawn by the viewer. */
export type Verdict = {
  changed: boolean;
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
  /** Differences taken for noise, and why. */
  ignored: Ignored[];
};

/** From what only explains to what must be seen at once. */
export const severities = ["info", "notice", "important", "critical"] as const;
export type Severity = (typeof severities)[number];

/** Sorts the gravest first. */
export function byGravity(a: { severity: Severity }, b: { severity: Severity }): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity);
}

export type ReasonKind =
  | "lookup"
  | "defacement"
  | "outage"
  | "status"
  | "redirect"
  | "script"
  | "form"
  | "frame"
  | "refresh"
  | "hidden-text"
  | "link"
  | "text"
  | "title"
  | "meta"
  | "header"
  | "cookie"
  | "content"
  | "picture";

export type Reason = {
  kind: ReasonKind;
  severity: Severity;
  /** "New script host cdn.example.net", "3 lines added, 1 removed in main". */
  summary: string;
  /** One entry for each thing that differs; long lists are cut, `count` is exact. */
  changes: Change[];
  count: number;
};

export type Change = {
  /** Landmark or place, "" when it has none. */
  where: string;
  before: string | null;
  after: string | null;
  /** Set when a piece only went elsewhere. */
  moved?: boolean;
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
};

export type Box = { x: number; y: number; width: number; height: number };

export type Ignored = {
  /** The place the memory knows it by; "" when recognised by shape alone. */
  place: string;
  before: string | null;
  after: string | null;
  why: NoiseReason;
};

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
  | "learned"
  | "alternating"
  | "rule";
