import { read } from "#capture/reader.ts";
import { learnFromConfirmation } from "#detection/compare.ts";
import { readValues } from "#detection/followed-values/followed-values.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import { findMeant } from "#detection/noise-memory/record-noise-feedback.ts";
import { applyRules, parseRules } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { listElements, pickElement } from "#detection/selectors-and-ignore-rules/pick-element.ts";
import { Budget } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import { holdsOneOf } from "#detection/text-lookup/lookup.ts";
import { applyAllRules } from "../apply-all-rules.ts";
import { comparePictures, compareViews } from "../compare-views.ts";
import { coverCapture } from "../cover-capture.ts";
import type { Detector } from "../deps.ts";
import { replayCaptures, viewCaptures } from "../replay-captures.ts";
import { openView } from "../stored-capture.ts";
import { writeCaptureTexts } from "../write-capture-texts.ts";
import { interruptAfter } from "./interrupt-after.ts";
import { runJq } from "./run-jq.ts";

type Work = {
  [Name in keyof Detector]: (input: Parameters<Detector[Name]>[0]) => Awaited<ReturnType<Detector[Name]>>;
};

const runtime = { interrupt: interruptAfter, runJq };
const newBudget = () => new Budget(runtime);

/** The work of a detector's methods as synchronous functions, which nobody waits for or cancels. */
export const detect: Work = {
  ...read,
  compare: (input) => compareViews(input, newBudget()),
  replay: (input) => replayCaptures(input, newBudget),
  viewAll: (input) => viewCaptures(input, newBudget),
  learnFromConfirmation({ memory, pictures, at, ...views }) {
    const [first, second] = [openView(views.first), openView(views.second)];
    const picture = comparePictures(first, second, pictures);
    return learnFromConfirmation(first.snapshot, second.snapshot, memory ?? emptyMemory(), picture, at);
  },
  findMeant({ first, second, memory, pictures, ids, ...asked }) {
    const picture = comparePictures(first, second, pictures);
    return findMeant(
      first.snapshot,
      second.snapshot,
      memory ?? emptyMemory(),
      picture,
      ids,
      asked,
      newBudget(),
    );
  },
  cover: (input) => coverCapture(input, newBudget),
  elements: listElements,
  pick: ({ snapshot, at }) => pickElement(snapshot, at),
  view({ snapshot, rules }) {
    return applyRules(snapshot, parseRules(rules), newBudget());
  },
  values({ follow, snapshot, view }) {
    return readValues(follow, snapshot, view.snapshot, newBudget());
  },
  holdsOneOf({ source, strings }) {
    return holdsOneOf(source, strings, newBudget());
  },
  writeTexts: writeCaptureTexts,
  applyAll: (input) => applyAllRules(input, newBudget),
};
