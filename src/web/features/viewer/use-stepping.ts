import { useHistory } from "#web/api/history.ts";
import { useAddress } from "#web/ui/use-address.ts";
import { type Detail, useEnds } from "./queries.ts";

const shownNow = () => new URLSearchParams(location.search).get("execution");

/** From one execution to another: a given one, or the next (1) or previous (-1), around the ends. */
export function useStepping({ jobId, id, previousId, nextId }: Detail) {
  const [, change] = useAddress();
  const { data: history, hasNextPage } = useHistory(jobId);
  const ends = useEnds(jobId, previousId === null || nextId === null);

  function open(executionId: string | null | undefined) {
    if (!executionId || executionId === shownNow()) return;
    change((now) => {
      // A chosen one was chosen for that pair only.
      const way = ["previous", "next", "off"].find((known) => known === now.get("with")) ?? null;
      return { execution: executionId, at: null, with: way };
    }, true);
  }

  async function wrapTo(end: "firstId" | "lastId") {
    open((ends.data ?? (await ends.refetch()).data)?.[end]);
  }

  /** From the address on: keys come faster than answers. */
  function step(by: 1 | -1) {
    const shown = shownNow();
    const ids = history?.pages.flatMap((page) => page.executions.map((execution) => execution.id)) ?? [];
    const at = ids.findIndex((known) => known === shown);
    const isEnd = at === (by > 0 ? 0 : ids.length - 1);
    if (at >= 0 && !(isEnd && hasNextPage)) open(ids[(at - by + ids.length) % ids.length]);
    else if (shown !== id) return;
    else if (by > 0) void (nextId ? open(nextId) : wrapTo("firstId"));
    else void (previousId ? open(previousId) : wrapTo("lastId"));
  }

  return { open, step };
}
