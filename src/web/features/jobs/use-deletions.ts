import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { keys } from "./queries.ts";
import { undoToast } from "./undo-toast.tsx";

const graceMs = 6000;

export type Deletion = { ids: string[]; say: string; groupId: string; run: () => Promise<unknown> };

/** Deletes after a pause in which it can be undone; what waits is hidden. Leaving the page does not undo it. */
export function useDeletions() {
  const client = useQueryClient();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const waiting = useRef(new Map<Deletion, () => void>());

  const start = useCallback(
    (deletion: Deletion) => {
      const show = () =>
        setHidden((before) => new Set([...before].filter((id) => !deletion.ids.includes(id))));
      const finish = async () => {
        if (!waiting.current.delete(deletion)) return;
        toast.dismiss(toastId);
        try {
          await deletion.run();
        } catch (error) {
          toast.error((error instanceof Error && error.message) || "It could not be deleted. It is kept.");
          show();
        }
        await Promise.all([
          client.invalidateQueries({ queryKey: keys.groups }),
          client.invalidateQueries({ queryKey: keys.group(deletion.groupId) }),
        ]);
      };
      waiting.current.set(deletion, () => void finish());
      setHidden((before) => new Set([...before, ...deletion.ids]));
      const toastId = undoToast({
        message: deletion.say,
        graceMs,
        onUndo: () => {
          toast.dismiss(toastId);
          waiting.current.delete(deletion);
          show();
        },
        onEnd: () => void finish(),
      });
    },
    [client],
  );

  useEffect(() => {
    const all = waiting.current;
    const finishAll = () => {
      for (const finish of Array.from(all.values())) finish();
    };
    addEventListener("pagehide", finishAll);
    return () => {
      removeEventListener("pagehide", finishAll);
      finishAll();
    };
  }, []);

  return { hidden, start };
}

/** One job, as a deletion to start. */
export function deletionOf(job: { id: string; name: string; groupId: string }): Deletion {
  return {
    ids: [job.id],
    groupId: job.groupId,
    say: `“${job.name}” is deleted.`,
    run: () => call("DELETE /api/jobs/:jobId", { params: { jobId: job.id } }, { keepalive: true }),
  };
}
