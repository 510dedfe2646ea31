import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { keys } from "../queries.ts";
import { showUndoToast } from "./undo-toast.tsx";

const graceMs = 6000;

export type Deletion = { ids: string[]; say: string; groupId: string; run: () => Promise<unknown> };

/** Deletes groups after a grace period for undoing; what is pending is hidden. Leaving the page completes the deletions. */
export function useDeletions() {
  const client = useQueryClient();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const pending = useRef(new Map<Deletion, () => void>());

  const start = useCallback(
    (deletion: Deletion) => {
      const show = () =>
        setHidden((previous) => new Set([...previous].filter((id) => !deletion.ids.includes(id))));
      const finish = async () => {
        if (!pending.current.delete(deletion)) return;
        toast.dismiss(toastId);
        try {
          await deletion.run();
        } catch (error) {
          toast.error(
            (error instanceof Error && error.message) || "We couldn’t delete it. Nothing was changed.",
          );
          show();
        }
        await Promise.all([
          client.invalidateQueries({ queryKey: keys.groups }),
          client.invalidateQueries({ queryKey: keys.group(deletion.groupId) }),
        ]);
      };
      pending.current.set(deletion, () => void finish());
      setHidden((previous) => new Set([...previous, ...deletion.ids]));
      const toastId = showUndoToast({
        message: deletion.say,
        graceMs,
        onUndo: () => {
          toast.dismiss(toastId);
          pending.current.delete(deletion);
          show();
        },
        onEnd: () => void finish(),
      });
    },
    [client],
  );

  useEffect(() => {
    const all = pending.current;
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
