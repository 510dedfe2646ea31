import type { Work } from "#queue/queue.ts";
import type { HostSlots } from "#storage/host-slots.ts";

type Choose = NonNullable<Work["choose"]>;
type Use = { place: string; owner: string };

const slowMs = 10_000;
const refusedMs = 1_000;
const sharedForMs = 30_000;
// Enough to know whose turn it is wherever several accounts wait.
const mostRemembered = 500;

type Sources = {
  openSlots: (widthOf: (host: string) => number) => HostSlots;
  widthOf: (host: string) => number;
  /** The hosts that jobs of several accounts watch. */
  listSharedHosts: () => Promise<string[]>;
};

/**
 * Chooses whose check is next, so that a check that could not begin is not even taken: none for a host that is full, and
 * never the last free place for an account that has one already. At a host that several accounts watch, the last free
 * slot is for an account that holds none there, and accounts take turns. Where a host answers an account slowly, that
 * account asks it one at a time.
 */
export function takeTurns({ openSlots, widthOf, listSharedHosts }: Sources): {
  slots: HostSlots;
  choose: Choose;
} {
  const slow = new Set<string>();
  /** Hosts whose slots other processes have, and until when they are not tried again. */
  const refused = new Map<string, number>();
  /** Who was let in where, longest ago first. */
  const served = new Map<string, Use>();
  const slots = openSlots(widthOf);
  let shared = new Set<string>();
  let knownUntil = Number.NEGATIVE_INFINITY;

  /** Whoever shares a host from now on is known half a minute later at most, or once both were let in. */
  function learnShared(now: number): void {
    if (now < knownUntil) return;
    knownUntil = now + sharedForMs;
    listSharedHosts().then(
      (hosts) => {
        shared = new Set(hosts);
      },
      // The next time will do; until then what is known counts.
      () => undefined,
    );
  }

  function note(use: Use): void {
    const key = keyOf(use);
    if (served.values().some(({ place, owner }) => place === use.place && owner !== use.owner))
      shared.add(use.place);
    served.delete(key);
    served.set(key, use);
    const [oldest = ""] = served.keys();
    if (served.size > mostRemembered) served.delete(oldest);
  }

  return {
    slots: {
      async take(host, owner = "") {
        const use = { place: host, owner };
        const release = await slots.take(host);
        if (!release) return void refused.set(host, Date.now() + refusedMs);
        note(use);
        const began = performance.now();
        return () => {
          if (performance.now() - began > slowMs) slow.add(keyOf(use));
          else slow.delete(keyOf(use));
          release();
        };
      },
      close: () => slots.close(),
    },
    choose(room, held) {
      const now = Date.now();
      learnShared(now);
      for (const [host, until] of refused) if (until < now) refused.delete(host);
      const full: string[] = [];
      const closed = new Map<string, Use>();
      for (const [host, own] of Map.groupBy(held, ({ place }) => place)) {
        const left = widthOf(host) - own.length;
        if (host === "") continue;
        if (left <= 0) full.push(host);
        else
          for (const use of own)
            if ((left === 1 && shared.has(host)) || slow.has(keyOf(use))) closed.set(keyOf(use), use);
      }
      return {
        fullPlaces: [...new Set([...full, ...refused.keys()])].sort(),
        busyOwners: room === 1 ? [...new Set(held.map(({ owner }) => owner))].sort() : [],
        perOwner: Math.max(1, room - 1),
        closed: [...closed.values()],
        served: [...served.values()].filter(({ place }) => shared.has(place)),
      };
    },
  };
}

const keyOf = ({ place, owner }: Use) => `${owner} ${place}`;
