import type { ReasonKind, Severity } from "./verdict.ts";

export type TextCondition = { what: "text"; is: "added" | "removed" | "present" | "absent"; text: string };
export type NumberCondition = {
  what: "number";
  /** Of a followed value. */
  name: string;
  is: "below" | "above" | "up" | "down";
  /** The bound, or by how much it has to move; 0 for any move. */
  amount: number;
  /** Whether it has to move by so many of a hundred. */
  percent: boolean;
};
export type Condition =
  | TextCondition
  | NumberCondition
  | { what: "status"; is: string }
  | { what: "severity"; atLeast: Severity }
  | { what: "reason"; kinds: ReasonKind[] }
  | { what: "only"; is: "additions" | "removals" };

/** What a user wants to be told of. Without conditions, of every change. */
export type AlertIf = { match: "all" | "any"; conditions: Condition[] };
