// Parses long rules, away from the thread that answers calls.
import { flushCompileCache } from "node:module";
import { toThreadAnswer } from "#contract/unreadable-file.ts";
import { type JudgedRules, refuseAll } from "./refuse-rules.ts";

// The next thread loads faster with what this one has compiled.
flushCompileCache();

export const judge = (rules: JudgedRules) => toThreadAnswer(() => refuseAll(rules));
