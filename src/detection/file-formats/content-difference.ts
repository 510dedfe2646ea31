import type { NoiseReason } from "../verdict/verdict.ts";

/** One difference in content other than HTML. `noise` says why it isn't news. */
export type Difference = {
  /** A path, a field or a line's context; the same location has the same name in every check. */
  place: string;
  before: string | null;
  after: string | null;
  noise: NoiseReason | null;
  moved?: boolean;
  /** A whole feed entry, described by its title and link. */
  isItem?: true;
  /** Says the difference in words of its own: “New entry: Title”. */
  sentence?: string;
  /** What people watch such a file for: a contact, an entry of a scope. */
  isImportant?: true;
};

export type ContentDifferences = {
  found: Difference[];
  /** Share of the content that is unchanged, 0 to 1. */
  standing: number;
  /** What is counted: value, line, field, statement. */
  noun: string;
  /** Both sides as lines for a side-by-side view. */
  lines: readonly [string[], string[]];
};
