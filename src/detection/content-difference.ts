import type { NoiseReason } from "./verdict.ts";

/** One thing that differs in content that is no HTML; `noise` says why it is no news. */
export type Difference = {
  /** A path, a field, a line's neighbourhood: the same place keeps its name from check to check. */
  place: string;
  before: string | null;
  after: string | null;
  noise: NoiseReason | null;
  moved?: boolean;
  /** A whole entry of a feed, told by its title and link. */
  isItem?: true;
  /** What people who watch such a file wait for: a contact, an entry of a scope. */
  isImportant?: true;
};

export type ContentDifferences = {
  found: Difference[];
  /** Share of the content that stands, 0 to 1. */
  standing: number;
  /** What is counted: value, line, field, statement. */
  noun: string;
  /** Both sides as lines fit to be shown beside each other. */
  lines: readonly [string[], string[]];
};
