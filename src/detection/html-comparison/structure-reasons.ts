import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import { listInWords } from "../change-summaries/summarize-reasons.ts";
import { isAlertRequested, isDigestOnly } from "../frequent-changes/frequent-changes.ts";
import { idOf } from "../noise-memory/feedback.ts";
import { type NoiseMemory, recall } from "../noise-memory/noise-memory.ts";
import { type Observation } from "../noise-memory/observation.ts";
import { isDecisive, isMild } from "../severity/severity.ts";
import type { Ignored, Reason } from "../verdict/verdict.ts";
import type { StructureChange } from "./structure-change.ts";

type Judged = {
  reasons: Reason[];
  ignored: Ignored[];
  /** All reported differences, as observations for the noise memory. */
  news: Observation[];
  /** Those of `news` that count toward frequent changes. */
  reported: Observation[];
};

/** Judges by the noise memory what differs behind the text: titles, link targets, forms, headers. */
export function judgeStructure(changes: StructureChange[], memory: NoiseMemory): Judged {
  const judged: Judged = { reasons: [], ignored: [], news: [], reported: [] };
  const groups = new Map<string, { reason: Reason; summaries: Set<string> }>();
  for (const change of changes) {
    const { kind, severity, summary, where, before, after } = change;
    const observation = observeStructure(change);
    // Feedback on a location never covers a possible attack, and it is never digest-only: it is reported each time.
    const mild = isMild(change);
    const why = recall(memory, observation, !mild);
    if (why) {
      judged.ignored.push({ place: observation.place, before, after, ...why });
      continue;
    }
    const id = idOf(observation);
    const reason: Reason = { kind, severity, summary, changes: [{ id, where, before, after }], count: 1 };
    judged.news.push(observation);
    if (mild) {
      judged.reported.push(observation);
      const isQuiet = change.quiet === true && !isAlertRequested(memory, observation);
      if (isQuiet || isDigestOnly(memory, observation)) reason.folded = true;
    }
    const { together } = change;
    const key = `${severity} ${kind} ${together} ${reason.folded}`;
    const group = together === undefined ? undefined : groups.get(key);
    if (group) {
      mergeReason(group.reason, reason);
      group.summaries.add(summary);
      if (!isDecisive(reason)) group.reason.summary = `${group.reason.count} ${together}`;
    } else {
      groups.set(key, { reason, summaries: new Set([summary]) });
      judged.reasons.push(reason);
    }
  }
  for (const { reason, summaries } of groups.values())
    if (isDecisive(reason)) reason.summary = listInWords([...summaries], reason.count);
  return judged;
}

const MAX_CHANGES = 50;

function mergeReason(group: Reason, { changes }: Reason): void {
  group.count++;
  if (group.changes.length < MAX_CHANGES) group.changes.push(...changes);
}

// A page doesn't show where its links lead, nor what it tells search engines.
const unseenKinds = new Set<StructureChange["kind"]>(["meta", "link"]);

/** Converts a difference to an observation for the noise memory. */
export function observeStructure({ kind, where, place, label, before, after }: StructureChange): Observation {
  const withKind = (value: string | null) => (value === null ? null : `${kind} ${value}`);
  return {
    place: `${kind} ${place ?? where}`,
    before: withKind(before),
    after: withKind(after),
    frame: isBoilerplate(where) || kind === "script" || label === true,
    ...(label ? { label: "link" as const } : {}),
    ...(unseenKinds.has(kind) ? { unseen: true as const } : {}),
  };
}
