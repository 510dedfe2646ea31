import { useHistory } from "#web/api/history.ts";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { type Detail, useFirstAndLastExecution } from "../queries.ts";

const executionInUrl = () => new URLSearchParams(location.search).get("execution");

/** Moves to a given execution, or to the next (1) or previous (-1) one, wrapping around at the ends. */
export function useStepping({ jobId, id, previousId, nextId }: Detail) {
  const [, change] = useUrlParams();
  const { data: history, hasNextPage } = useHistory(jobId);
  const ends = useFirstAndLastExecution(jobId, previousId === null || nextId === null);

  function open(executionId: string | null | undefined) {
    if (!executionId || executionId === executionInUrl()) return;
    change((now) => {
      // A specific execution to compare with was chosen for that pair only.
      const comparedWith = ["previous", "next", "off"].find((known) => known === now.get("with")) ?? null;
      return { execution: executionId, at: null, with: comparedWith };
    }, true);
  }

  async function wrapTo(end: "firstId" | "lastId") {
    open((ends.data ?? (await ends.refetch()).data)?.[end]);
  }

  /** Steps from the execution in the URL, since keys come faster than responses. */
  function step(by: 1 | -1) {
    const shown = executionInUrl();
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
