import { compare, learnFromConfirmation } from "../../compare.ts";
import { answerOften } from "../../frequent-changes/frequent-changes.ts";
import { emptyMemory, type NoiseMemory } from "../../noise-memory/noise-memory.ts";
import { findMeant, recordNoiseFeedback } from "../../noise-memory/record-noise-feedback.ts";
import { snapshotOf } from "../../snapshot/create-snapshot.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { measureRules } from "../noise-rule.ts";

/**
 * Two captures that differ in one thing: fragments put into a page, whole documents of another kind, or parts of the
 * response.
 */
export type Example = {
  before: string;
  after: string;
  /** The landmark of the page that the fragments are put into; `main` if it isn't given. */
  in?: "main" | "nav" | "header" | "footer" | "head";
  as?: "json" | "xml" | "text" | "header" | "address" | "cookie" | "picture";
  /** When the two captures were sent. */
  sent?: [before: string, after: string];
  /** Captures of before and after that the memory saw first, as a job's confirmations do. */
  afterConfirmation?: true;
  /** The user said of this difference that it is noise. */
  afterFeedback?: "difference" | "location";
};

const url = "https://site.example/";
const story = "The committee met on Tuesday, heard both sides, and decided that the bridge will stay open. ";

/** A page with a lot of text that stays, and a fragment in one of its landmarks. */
function pageWith(fragment: string, landmark: NonNullable<Example["in"]> = "main"): string {
  const fill = (name: string, standing: string) => `${standing}${name === landmark ? fragment : ""}`;
  return `<!doctype html><html lang="en"><head>${fill("head", "")}<title>Bridge</title></head><body><header><p>The Daily Bridge</p>${fill("header", "")}</header><nav><ul><li><a href="/a">News</a></li><li><a href="/b">Letters</a></li></ul>${fill("nav", "")}</nav><main><h1>The bridge stays</h1>${`<p>${story.repeat(3)}</p>`.repeat(3)}${fill("main", "")}<p>${story}</p></main><footer><p>Printed in Ghent</p>${fill("footer", "")}</footer></body></html>`;
}

function capture(example: Example, side: "before" | "after"): Snapshot {
  const value = example[side];
  const at = side === "before" ? 0 : 1;
  const kind = example.as === "json" || example.as === "xml" || example.as === "text" ? example.as : "html";
  const body = kind === "html" ? pageWith(example.as ? "" : value, example.in) : value;
  const snapshot = snapshotOf(body, kind, url);
  const sent = example.sent?.[at];
  const headers: Snapshot["headers"] = [["content-type", "text/html"]];
  if (sent) headers.push(["date", new Date(sent).toUTCString()]);
  if (example.as === "header" && value !== "") headers.push(value.split(": ", 2) as [string, string]);
  if (example.as === "address") snapshot.finalUrl = value;
  if (example.as === "cookie" && value !== "") {
    const [name = "", ...flags] = value.split("; ");
    const cookie = {
      name,
      domain: "site.example",
      secure: flags.includes("Secure"),
      httpOnly: false,
      sameSite: "",
    };
    snapshot.cookies = [cookie] as unknown as Snapshot["cookies"];
  }
  return { ...snapshot, headers };
}

/** What the job knows before the comparison: `lesson` is the example whose captures or feedback taught it. */
function memoryOf(example: Example, lesson: Example): NoiseMemory {
  const [before, after] = [capture(lesson, "before"), capture(lesson, "after")];
  if (example.afterConfirmation) return learnFromConfirmation(before, after, emptyMemory());
  if (!example.afterFeedback) return emptyMemory();
  const meant = findMeant(before, after, emptyMemory(), null, null);
  if (example.afterFeedback === "difference")
    return recordNoiseFeedback(emptyMemory(), meant, "2026-03-03T09:00:00Z");
  return answerOften(emptyMemory(), meant.seen[0]?.place ?? "", "noise");
}

/** Compares the two captures of an example; says whether it is alerted and which rules decided a difference. */
export function runExample(example: Example, lesson: Example = example) {
  const [before, after] = [capture(example, "before"), capture(example, "after")];
  const memory = memoryOf(example, lesson);
  const { result, decided } = measureRules([], () => compare(before, after, memory));
  return { changed: result.verdict.changed, summary: result.verdict.summary, decided: [...decided.keys()] };
}
