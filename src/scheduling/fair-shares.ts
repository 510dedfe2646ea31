import type { HostSlots } from "#host-limits/host-slots.ts";
import type { Work } from "#queue/queue.ts";

type Choose = NonNullable<Work["choose"]>;
type Use = { place: string; owner: string };

const slowMs = 10_000;
const refusedMs = 1_000;
const refreshSharedMs = 30_000;
// Enough to know whose turn it is at every host where several accounts wait.
const maxRemembered = 500;

type Sources = {
  openSlots: (widthOf: (host: string) => number) => HostSlots;
  widthOf: (host: string) => number;
  /** The hosts that jobs of several accounts watch. */
  listSharedHosts: () => Promise<string[]>;
};

/**
 * Chooses whose check is next, so that a check that could not begin is not even claimed: none for a host that is full,
 * and never the last free worker slot for an account that holds one already. At a host that several accounts watch, the
 * last free host slot is for an account that holds none there, and accounts take turns. If a host answers an account
 * slowly, that account makes one request to it at a time.
 */
export function shareFairly({ openSlots, widthOf, listSharedHosts }: Sources): {
  slots: HostSlots;
  choose: Choose;
} {
  const slow = new Set<string>();
  /** Hosts whose slots other processes hold, and until when they are not tried again. */
  const refused = new Map<string, number>();
  /** Which account was served at which host, oldest first. */
  const served = new Map<string, Use>();
  const slots = openSlots(widthOf);
  let sharedHosts = new Set<string>();
  let nextRefreshAt = Number.NEGATIVE_INFINITY;

  /** A host that becomes shared is known within half a minute, or once both accounts were served there. */
  function refreshSharedHosts(now: number): void {
    if (now < nextRefreshAt) return;
    nextRefreshAt = now + refreshSharedMs;
    listSharedHosts().then(
      (hosts) => {
        sharedHosts = new Set(hosts);
      },
      // The next refresh will do; until then the known list counts.
      () => undefined,
    );
  }

  function recordUse(use: Use): void {
    const key = keyOf(use);
    if (served.values().some(({ place, owner }) => place === use.place && owner !== use.owner))
      sharedHosts.add(use.place);
    served.delete(key);
    served.set(key, use);
    const [oldest = ""] = served.keys();
    if (served.size > maxRemembered) served.delete(oldest);
  }

  return {
    slots: {
      async take(host, owner = "") {
        const use = { place: host, owner };
        const release = await slots.take(host);
        if (!release) return void refused.set(host, Date.now() + refusedMs);
        recordUse(use);
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
      refreshSharedHosts(now);
      for (const [host, until] of refused) if (until < now) refused.delete(host);
      const fullHosts: string[] = [];
      const closed = new Map<string, Use>();
      for (const [host, uses] of Map.groupBy(held, ({ place }) => place)) {
        const left = widthOf(host) - uses.length;
        if (host === "") continue;
        if (left <= 0) fullHosts.push(host);
        else
          for (const use of uses)
            if ((left === 1 && sharedHosts.has(host)) || slow.has(keyOf(use))) closed.set(keyOf(use), use);
      }
      return {
        fullPlaces: [...new Set([...fullHosts, ...refused.keys()])].sort(),
        busyOwners: room === 1 ? [...new Set(held.map(({ owner }) => owner))].sort() : [],
        maxPerOwner: Math.max(1, room - 1),
        closed: [...closed.values()],
        served: [...served.values()].filter(({ place }) => sharedHosts.has(place)),
      };
    },
  };
}

const keyOf = ({ place, owner }: Use) => `${owner} ${place}`;
