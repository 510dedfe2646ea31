import { decide } from "../../noise-rules/noise-rule.ts";
import { valueRules } from "../../noise-rules/value-rules.ts";
import type { NoiseReason } from "../../verdict/verdict.ts";

/** Why a changed value under this name is noise, or null if it may matter. */
export function valueNoise(name: string, before: unknown, after: unknown): NoiseReason | null {
  return decide(valueRules, { name: wordsOf(name), before, after });
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z\d]+/g, " ")
    .toLowerCase();
}
