import { compare } from "../compare.ts";
import { compareContent } from "../compare-content.ts";
import { compareImage, type Image } from "../compare-image.ts";
import { diffLines } from "../diff-lines.ts";
import { diffWords } from "../diff-words.ts";
import { findFindings } from "../findings.ts";
import { emptyMemory } from "../noise-memory.ts";
import type { Snapshot } from "../snapshot.ts";
import { makeSnapshot, makeText, mutate, pickKind, type Random, seeded } from "./fuzz-inputs.ts";

export type FuzzResult = { kind: string; size: number; work: () => void };

/** Builds one input from a seed; `work` puts it through every comparer and throws when a promise is broken. */
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
  const back = compare(after, before, first.memory);
  const { similarity, changed, severity } = first.verdict;
  promise(similarity >= 0 && similarity <= 100, `similarity is ${similarity}`);
  promise(changed || severity === "info", `unchanged but ${severity}`);
  promise(back.verdict.similarity >= 0 && back.verdict.similarity <= 100, "similarity with memory");
  promise(!compare(before, before, emptyMemory()).verdict.changed, "differs from itself");
  if (seed % 50 === 0) {
    const again = compare(structuredClone(before), structuredClone(after), emptyMemory());
    promise(JSON.stringify(again) === JSON.stringify(first), "two runs give two verdicts");
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
  promise(rebuilt.join("\n") === b.join("\n"), "line hunks do not replay");
  const words = diffWords(before, after);
  const without = (op: string): string =>
    words
      .filter((word) => word.op !== op)
      .map((word) => word.text)
      .join("");
  promise(without("added") === before && without("removed") === after, "word marks do not replay");
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
    const there = compareImage(a, b);
    const back = compareImage(b, a);
    promise(there.similarity === back.similarity, "picture similarity is not symmetric");
    promise(there.similarity >= 0 && there.similarity <= 100, `picture similarity is ${there.similarity}`);
    promise(compareImage(a, a).regions.length === 0, "picture differs from itself");
    for (const { old, new: now } of there.regions) {
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
        promise(isInside, "a region lies outside its picture");
      }
    }
  };
  return { kind: "picture", size: a.data.length + b.data.length, work };
}

function promise(kept: boolean, broken: string): void {
  if (!kept) throw new Error(broken);
}
