import type { Work } from "#queue/queue.ts";
import type { HostSlots } from "#storage/host-slots.ts";

type Choose = NonNullable<Work["choose"]>;

const slowMs = 10_000;
const refusedMs = 1_000;

/**
 * Chooses whose check is next, so that a check that could not begin is not even taken: none for a host that is full, and
 * never the last free place for an account that has one already. A host that answers slowly is asked one at a time.
 */
export function takeTurns(
  openSlots: (widthOf: (host: string) => number) => HostSlots,
  width: (host: string) => number,
): { slots: HostSlots; choose: Choose } {
  const slow = new Set<string>();
  /** Hosts whose slots other processes have, and until when they are not tried again. */
  const refused = new Map<string, number>();
  const widthOf = (host: string) => (slow.has(host) ? 1 : width(host));
  const slots = openSlots(widthOf);
  return {
    slots: {
      async take(host) {
        const release = await slots.take(host);
        if (!release) return void refused.set(host, Date.now() + refusedMs);
        const began = performance.now();
        return () => {
          if (performance.now() - began > slowMs) slow.add(host);
          else slow.delete(host);
          release();
        };
      },
      close: () => slots.close(),
    },
    choose(room, held) {
      const now = Date.now();
      for (const [host, until] of refused) if (until < now) refused.delete(host);
      const byHost = Map.groupBy(held, ({ place }) => place);
      const full = [...byHost]
        .filter(([host, own]) => host && own.length >= widthOf(host))
        .map(([host]) => host);
      return {
        fullPlaces: [...new Set([...full, ...refused.keys()])].sort(),
        busyOwners: room === 1 ? [...new Set(held.map(({ owner }) => owner))].sort() : [],
        perOwner: Math.max(1, room - 1),
      };
    },
  };
}
