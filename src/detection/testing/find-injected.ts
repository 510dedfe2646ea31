import { compare, learnTwin } from "../compare.ts";
import { emptyMemory, type NoiseMemory } from "../noise-memory.ts";
import type { Snapshot } from "../snapshot.ts";
import { severities } from "../verdict.ts";
import { contentEdits, injections, places, smallEdits, standing } from "./injections.ts";

/** `grave`: must be told as critical or important, not only told. */
export type Injected = { name: string; place: string; before: string; after: string; grave: boolean };

/** Every attack and small edit in every place where it must be found. */
export function injected(): Injected[] {
  const all: Injected[] = [];
  for (const place of Object.keys(places)) {
    for (const [name, after] of Object.entries(injections)) {
      // A banner is a picture that leads elsewhere.
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

/** What a place holds on one capture; what changes by itself there stands beside it. */
function fill(place: string, html: string, seed: number): string {
  const [opening, closing] = places[place] ?? ["", ""];
  const goods = ["Oak desk lamp", "Steel bottle", "Wool blanket", "Travel kettle"];
  const beside = standing.has(place) ? "Standing words" : goods[seed % goods.length];
  return `${opening}<span>${beside}</span>${html}${closing}`;
}

const HISTORY = 6;

type Show = (content: string, seed: number) => Snapshot;
type Watched = { first: Snapshot; last: Snapshot; started: NoiseMemory; learned: NoiseMemory };

/** Tells how an attack on a page is missed: from a bare pair, after learning, or by the look that should confirm it. */
export function watchFor(show: Show): (one: Injected) => string[] {
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
      confirmed: compare(first, again, learnTwin(now, again, started)),
      "after a history": compare(last, now, learned),
      "after a history, confirmed": compare(last, again, learnTwin(now, again, learned)),
    };
    const least = severities.indexOf(grave ? "important" : "notice");
    return Object.entries(verdicts).flatMap(([when, { verdict }]) =>
      verdict.changed && !verdict.folded && severities.indexOf(verdict.severity) >= least ? [] : [when],
    );
  };
}

function watch(capture: (seed: number) => Snapshot): Watched {
  const first = capture(0);
  const started = learnTwin(first, capture(1), emptyMemory());
  let last = first;
  let learned = emptyMemory();
  for (let seed = 1; seed <= HISTORY; seed++) {
    const next = capture(seed);
    learned = compare(last, next, learned).memory;
    last = next;
  }
  return { first, last, started, learned };
}
