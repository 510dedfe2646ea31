import { compare, learnFromConfirmation } from "../compare.ts";
import { emptyMemory, type NoiseMemory } from "../noise-memory/noise-memory.ts";
import { isAtLeast } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { contentEdits, injections, places, smallEdits, standing } from "./injections.ts";

/** `grave`: must be reported as critical or important; else a notice is enough. */
export type InjectionCase = { name: string; place: string; before: string; after: string; grave: boolean };

/** Every attack and small edit, at every location where it must be found. */
export function injected(): InjectionCase[] {
  const all: InjectionCase[] = [];
  for (const place of Object.keys(places)) {
    for (const [name, after] of Object.entries(injections)) {
      // In an advertisement, a linked picture is an ordinary banner.
      const isBanner =
        place === "advertisement" && (name === "link without text" || name.includes("picture"));
      if (!isBanner) all.push({ name, place, before: "", after, grave: true });
    }
    for (const [name, [before, after]] of Object.entries(smallEdits))
      all.push({ name, place, before, after, grave: true });
    for (const [name, [before, after]] of Object.entries(standing.has(place) ? contentEdits : {}))
      all.push({ name, place, before, after, grave: false });
  }
  return all;
}

/** The HTML of a location in one capture, next to text that changes by itself there. */
function fill(place: string, html: string, seed: number): string {
  const [opening, closing] = places[place] ?? ["", ""];
  const goods = ["Oak desk lamp", "Steel bottle", "Wool blanket", "Travel kettle"];
  const neighbor = standing.has(place) ? "Standing words" : goods[seed % goods.length];
  return `${opening}<span>${neighbor}</span>${html}${closing}`;
}

const HISTORY = 6;

type Show = (content: string, seed: number) => Snapshot;
type Watched = { first: Snapshot; last: Snapshot; started: NoiseMemory; learned: NoiseMemory };

/**
 * Returns a function that lists the situations in which an attack on a page is missed: in a bare pair, after learning,
 * or in the confirmation.
 */
export function createMissFinder(show: Show): (one: InjectionCase) => string[] {
  const watched = new Map<string, Watched>();
  return ({ place, before, after, grave }) => {
    const key = `${place}\n${before}`;
    const known = watched.get(key) ?? watch((seed) => show(fill(place, before, seed), seed));
    watched.set(key, known);
    const { first, last, started, learned } = known;
    const [now, again] = [show(fill(place, after, 100), 100), show(fill(place, after, 101), 101)];
    const verdicts = {
      bare: compare(first, now, emptyMemory()),
      "after the first check": compare(first, now, started),
      confirmed: compare(first, again, learnFromConfirmation(now, again, started)),
      "after a history": compare(last, now, learned),
      "after a history, confirmed": compare(last, again, learnFromConfirmation(now, again, learned)),
    };
    const least = grave ? "important" : "notice";
    return Object.entries(verdicts).flatMap(([when, { verdict }]) =>
      verdict.changed && !verdict.folded && isAtLeast(verdict.severity, least) ? [] : [when],
    );
  };
}

function watch(capture: (seed: number) => Snapshot): Watched {
  const first = capture(0);
  const started = learnFromConfirmation(first, capture(1), emptyMemory());
  let last = first;
  let learned = emptyMemory();
  for (let seed = 1; seed <= HISTORY; seed++) {
    const next = capture(seed);
    learned = compare(last, next, learned).memory;
    last = next;
  }
  return { first, last, started, learned };
}
