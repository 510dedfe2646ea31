import type { StructureChange } from "./compare-structure.ts";
import { asListed } from "./noise/as-listed.ts";
import { idOf } from "./noise/said.ts";
import { isFrame } from "./noise/text-key.ts";
import { type NoiseMemory, type Observation, recall } from "./noise-memory.ts";
import { isFolded } from "./often.ts";
import type { Ignored, Reason } from "./verdict.ts";

type Judged = {
  reasons: Reason[];
  ignored: Ignored[];
  /** All that is told, and of it what may come to be told of too often. */
  news: Observation[];
  told: Observation[];
};

/** Asks the memory about what differs behind the text: titles, link targets, forms, headers. */
export function judgeStructure(changes: StructureChange[], memory: NoiseMemory): Judged {
  const judged: Judged = { reasons: [], ignored: [], news: [], told: [] };
  const groups = new Map<string, Reason>();
  for (const change of changes) {
    const { kind, severity, summary, where, before, after } = change;
    const seen = observeStructure(change);
    // What may be an attack is never the user's standing noise, and never folded: it is told each time.
    const isMild = severity === "notice";
    const why = recall(memory, seen, !isMild);
    if (why) {
      judged.ignored.push({ place: seen.place, before, after, ...asListed(why) });
      continue;
    }
    const id = idOf(seen);
    const reason: Reason = { kind, severity, summary, changes: [{ id, where, before, after }], count: 1 };
    judged.news.push(seen);
    if (isMild) {
      judged.told.push(seen);
      if (isFolded(memory, seen)) reason.folded = true;
    }
    const { together } = change;
    const key = `${severity} ${kind} ${together} ${reason.folded}`;
    const group = together === undefined ? undefined : groups.get(key);
    if (group) join(group, reason, `${group.count + 1} ${together}`);
    else {
      groups.set(key, reason);
      judged.reasons.push(reason);
    }
  }
  return judged;
}

const MAX_CHANGES = 50;

function join(group: Reason, { changes }: Reason, summary: string): void {
  group.summary = summary;
  group.count++;
  if (group.changes.length < MAX_CHANGES) group.changes.push(...changes);
}

/** A difference as the memory knows it. */
export function observeStructure({ kind, where, place, label, before, after }: StructureChange): Observation {
  const named = (value: string | null) => (value === null ? null : `${kind} ${value}`);
  return {
    place: `${kind} ${place ?? where}`,
    before: named(before),
    after: named(after),
    frame: isFrame(where) || kind === "script" || label === true,
    ...(label ? { label: "link" as const } : {}),
  };
}
