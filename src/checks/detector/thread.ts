import { parentPort } from "node:worker_threads";
import { read } from "#capture/reader.ts";
import type { Snapshot } from "#contract/capture.ts";
import { boundVerdict } from "#detection/bound-verdict.ts";
import { compare, learnTwin } from "#detection/compare.ts";
import { compareImage, type ImageComparison } from "#detection/compare-image.ts";
import { diffRows } from "#detection/diff-rows.ts";
import { findLookups, holdsOneOf } from "#detection/lookup.ts";
import { emptyMemory } from "#detection/noise-memory.ts";
import type { Detector, Pictures } from "../deps.ts";

type Work = {
  [Name in keyof Detector]: (input: Parameters<Detector[Name]>[0]) => Awaited<ReturnType<Detector[Name]>>;
};

const work: Work = {
  ...read,
  compare({ before, after, memory, pictures }) {
    const compared = compare(before, after, memory ?? emptyMemory(), compareLooks(before, after, pictures));
    return { ...compared, verdict: boundVerdict(compared.verdict) };
  },
  learnTwin({ first, second, memory, pictures }) {
    return learnTwin(first, second, memory ?? emptyMemory(), compareLooks(first, second, pictures));
  },
  diffRows({ base, next, stride }) {
    return diffRows(base, next, stride);
  },
  findLookups: ({ before, after, rule }) => findLookups(before, after, rule),
  holdsOneOf: ({ source, strings }) => holdsOneOf(source, strings),
  strip({ html, patterns }) {
    return patterns.reduce((text, pattern) => text.replace(new RegExp(pattern.slice(1, -1), "gu"), ""), html);
  },
};

function compareLooks(before: Snapshot, after: Snapshot, pictures: Pictures): ImageComparison | null {
  if (pictures === "same") return { similarity: 100, regions: [] };
  const isImage = before.kind === "image" && after.kind === "image";
  return pictures && compareImage(pictures.before, pictures.after, isImage);
}

parentPort?.on("message", ({ name, input }: { name: keyof Work; input: never }) => {
  try {
    parentPort?.postMessage({ ok: true, value: work[name](input) });
  } catch (error) {
    parentPort?.postMessage({ ok: false, error });
  }
});
parentPort?.postMessage("ready");
