import { compare } from "../compare.ts";
import { compareContent } from "../file-formats/compare-content.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { diffWords } from "../line-and-word-diff/diff-words.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { compareImage, type Image } from "../picture-comparison/compare-image.ts";
import { findFindings } from "../security-findings/findings.ts";
import { isDecisive } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { makeSnapshot, makeText, mutate, pickKind, type Random, seeded } from "./fuzz-inputs.ts";

export type FuzzResult = { kind: string; size: number; work: () => void };

/** Builds one input from a seed; `work` runs every comparison on it and throws if an invariant is broken. */
export function fuzzOnce(seed: number): FuzzResult {
  const random = seeded(seed);
  if (seed % 10 === 9) return fuzzPictures(random);
  const kind = pickKind(random);
  const old = makeText(random, kind);
  const now = random(4) === 0 ? makeText(random, kind) : mutate(random, old, random(4));
  const before = makeSnapshot(random, kind, old);
  const after = makeSnapshot(random, random(20) === 0 ? pickKind(random) : kind, now);
  return { kind, size: old.length + now.length, work: () => compareAll(before, after, seed) };
}

function compareAll(before: Snapshot, after: Snapshot, seed: number): void {
  const first = compare(before, after, emptyMemory());
  const backward = compare(after, before, first.memory);
  const { similarity, changed, severity } = first.verdict;
  assertInvariant(similarity >= 0 && similarity <= 100, `similarity is ${similarity}`);
  assertInvariant(changed || !isDecisive(first.verdict), `unchanged but ${severity}`);
  assertInvariant(
    backward.verdict.similarity >= 0 && backward.verdict.similarity <= 100,
    "similarity with memory",
  );
  assertInvariant(!compare(before, before, emptyMemory()).verdict.changed, "differs from itself");
  if (seed % 50 === 0) {
    const again = compare(structuredClone(before), structuredClone(after), emptyMemory());
    assertInvariant(JSON.stringify(again) === JSON.stringify(first), "two runs give two verdicts");
  }
  findFindings(after, before);
  for (const kind of ["json", "xml", "javascript", "text"] as const) {
    compareContent({ ...before, kind }, { ...after, kind }, emptyMemory());
  }
  checkDiffs(before.html, after.html);
}

function checkDiffs(before: string, after: string): void {
  const a = before.split(/(?=<)|\n/);
  const b = after.split(/(?=<)|\n/);
  const rebuilt: string[] = [];
  let at = 0;
  for (const hunk of diffLines(a, b)) {
    for (; at < hunk.oldStart; at++) rebuilt.push(a[at]!);
    for (let i = 0; i < hunk.newCount; i++) rebuilt.push(b[hunk.newStart + i]!);
    at += hunk.oldCount;
  }
  for (; at < a.length; at++) rebuilt.push(a[at]!);
  assertInvariant(rebuilt.join("\n") === b.join("\n"), "line hunks do not replay");
  const words = diffWords(before, after);
  const without = (op: string): string =>
    words
      .filter((word) => word.op !== op)
      .map((word) => word.text)
      .join("");
  assertInvariant(without("added") === before && without("removed") === after, "word marks do not replay");
}

function fuzzPictures(random: Random): FuzzResult {
  const paint = (): Image => {
    const width = random(70);
    const height = random(90);
    const channels = 3 + random(2);
    const shades = 1 + random(3);
    return {
      width,
      height,
      data: Uint8Array.from({ length: width * height * channels }, () => random(shades) * 90),
    };
  };
  const a = paint();
  const b =
    random(2) === 0
      ? paint()
      : { ...a, data: a.data.map((value) => (random(500) === 0 ? 255 - value : value)) };
  const work = (): void => {
    const forward = compareImage(a, b);
    const backward = compareImage(b, a);
    assertInvariant(forward.similarity === backward.similarity, "picture similarity is not symmetric");
    assertInvariant(
      forward.similarity >= 0 && forward.similarity <= 100,
      `picture similarity is ${forward.similarity}`,
    );
    assertInvariant(compareImage(a, a).regions.length === 0, "picture differs from itself");
    for (const { old, new: now } of forward.regions) {
      for (const [box, image] of [
        [old, a],
        [now, b],
      ] as const) {
        const isInside =
          !box ||
          (box.x >= 0 &&
            box.y >= 0 &&
            box.x + box.width <= image.width &&
            box.y + box.height <= image.height);
        assertInvariant(isInside, "a region lies outside its picture");
      }
    }
  };
  return { kind: "picture", size: a.data.length + b.data.length, work };
}

function assertInvariant(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}
