// Parses long rules, away from the thread that answers calls.
import { flushCompileCache } from "node:module";
import { toAnswer } from "../unreadable-file.ts";
import { type JudgedRules, refuseAll } from "./refuse-rules.ts";

// The next thread loads faster with what this one has compiled.
flushCompileCache();

export const judge = (rules: JudgedRules) => toAnswer(() => refuseAll(rules));
