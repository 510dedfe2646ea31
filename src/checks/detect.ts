import { read } from "#capture/reader.ts";
import { applyRules, readRules } from "#detection/apply-rules.ts";
import { findMeant } from "#detection/call-noise.ts";
import { learnTwin } from "#detection/compare.ts";
import { coverRules } from "#detection/cover-rules.ts";
import { readValues } from "#detection/follow.ts";
import { holdsOneOf } from "#detection/lookup.ts";
import { emptyMemory } from "#detection/noise-memory.ts";
import { listElements, pickElement } from "#detection/pick-element.ts";
import { Budget } from "#detection/rule-budget.ts";
import { applyAllRules } from "./apply-all-rules.ts";
import { compareLooks, compareViews } from "./compare-views.ts";
import type { Detector } from "./deps.ts";
import { interruptAfter } from "./detector/interrupt-after.ts";
import { openView } from "./kept-view.ts";
import { replayCaptures, viewCaptures } from "./replay-captures.ts";

type Work = {
  [Name in keyof Detector]: (input: Parameters<Detector[Name]>[0]) => Awaited<ReturnType<Detector[Name]>>;
};

const newBudget = () => new Budget(interruptAfter);

/** What a detector does, where nobody has to wait for it or end it. */
export const detect: Work = {
  ...read,
  compare: (input) => compareViews(input, newBudget()),
  replay: (input) => replayCaptures(input, newBudget),
  viewAll: (input) => viewCaptures(input, newBudget),
  learnTwin({ memory, pictures, at, ...both }) {
    const [first, second] = [openView(both.first), openView(both.second)];
    const looks = compareLooks(first, second, pictures);
    return learnTwin(first.snapshot, second.snapshot, memory ?? emptyMemory(), looks, at);
  },
  findMeant({ first, second, memory, pictures, ids, ...asked }) {
    const looks = compareLooks(first, second, pictures);
    return findMeant(
      first.snapshot,
      second.snapshot,
      memory ?? emptyMemory(),
      looks,
      ids,
      asked,
      newBudget(),
    );
  },
  cover: ({ snapshot, rules }) => coverRules(snapshot, rules, interruptAfter),
  elements: listElements,
  pick: ({ snapshot, at }) => pickElement(snapshot, at),
  view({ snapshot, rules }) {
    return applyRules(snapshot, readRules(rules), newBudget());
  },
  values({ follow, snapshot, view }) {
    return readValues(follow, snapshot, view.snapshot, newBudget());
  },
  holdsOneOf({ source, strings }) {
    return holdsOneOf(source, strings, newBudget());
  },
  applyAll: (input) => applyAllRules(input, newBudget),
};
