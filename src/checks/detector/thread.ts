import { parentPort } from "node:worker_threads";
import { compare, learnTwin } from "#detection/compare.ts";
import { compareImage } from "#detection/compare-image.ts";
import { diffRows } from "#detection/diff-rows.ts";
import { emptyMemory } from "#detection/noise-memory.ts";
import type { Detector } from "../deps.ts";

type Work = {
  [Name in keyof Detector]: (input: Parameters<Detector[Name]>[0]) => Awaited<ReturnType<Detector[Name]>>;
};

const work: Work = {
  compare({ before, after, memory, pictures }) {
    const picture =
      pictures === "same"
        ? { similarity: 100, regions: [] }
        : pictures && compareImage(pictures.before, pictures.after);
    return compare(before, after, memory ?? emptyMemory(), picture);
  },
  learnTwin({ first, second, memory }) {
    return learnTwin(first, second, memory ?? emptyMemory());
  },
  diffRows({ base, next, stride }) {
    return diffRows(base, next, stride);
  },
  strip({ html, patterns }) {
    return patterns.reduce((text, pattern) => text.replace(new RegExp(pattern.slice(1, -1), "gu"), ""), html);
  },
};

parentPort?.on("message", ({ name, input }: { name: keyof Work; input: never }) => {
  try {
    parentPort?.postMessage({ ok: true, value: work[name](input) });
  } catch (error) {
    parentPort?.postMessage({ ok: false, error });
  }
});
parentPort?.postMessage("ready");
