import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { LiveInput, LiveOutput } from "#contract/live-view.ts";

/** What a live view tells its page. */
export type LiveHandlers = {
  onFrame: (frame: ImageBitmap) => void;
  onOutput: (output: LiveOutput) => void;
  onClose: () => void;
};
export type LiveSocket = { id: string; send: (input: LiveInput) => void; close: () => void };
export type ConnectLiveView = (handlers: LiveHandlers) => Promise<LiveSocket>;

type Of<T extends LiveOutput["type"]> = Extract<LiveOutput, { type: T }>;
type Shown = {
  phase: "starting" | "open" | "ended";
  url: string;
  /** Why it ended, or what is worth knowing. */
  message: string;
  steps: Of<"steps">["steps"];
  options: Of<"options">["options"];
  proof: Of<"proof"> | null;
};
const start: Shown = { phase: "starting", url: "", message: "", steps: [], options: [], proof: null };
const lost = "The live view was closed. Open it again.";

type Results = {
  onRecorded: (recorded: Of<"recorded">) => void;
  onKept: (liveViewId: string, message: string) => void;
};

/** A live view: draws its frames, and holds what it says. */
export function useLiveView(
  connect: ConnectLiveView,
  canvas: RefObject<HTMLCanvasElement | null>,
  results: Results,
) {
  const [shown, setShown] = useState(start);
  const [attempt, setAttempt] = useState(0);
  const socket = useRef<LiveSocket | null>(null);
  const open = useEffectEvent((handlers: LiveHandlers) => connect(handlers));
  const finish = useEffectEvent((output: Of<"recorded"> | Of<"kept">) => {
    if (output.type === "recorded") results.onRecorded(output);
    else results.onKept(socket.current?.id ?? "", output.message);
  });
  const put = (part: Partial<Shown>) => setShown((last) => ({ ...last, ...part }));

  useEffect(() => {
    let isLeft = false;
    const onOutput = (output: LiveOutput) => {
      if (isLeft) return;
      switch (output.type) {
        case "page":
          return put({ url: output.url, message: "", options: [] });
        case "steps":
          return put({ steps: output.steps });
        case "options":
          return put({ options: output.options });
        case "proof":
          return put({ proof: output });
        case "notice":
          return put({ message: output.message });
        case "end":
          return put({ phase: "ended", message: output.message });
        case "recorded":
        case "kept":
          return finish(output);
      }
    };
    const onFrame = (frame: ImageBitmap) => {
      if (isLeft) return;
      canvas.current?.getContext("2d")?.drawImage(frame, 0, 0);
      setShown((last) => (last.phase === "starting" ? { ...last, phase: "open" } : last));
    };
    const onClose = () => {
      if (isLeft) return;
      setShown((last) => ({
        ...last,
        phase: "ended",
        message: last.phase === "ended" ? last.message : lost,
      }));
    };
    open({ onOutput, onFrame, onClose })
      .then((opened) => {
        socket.current = opened;
        if (isLeft) opened.close();
      })
      .catch((error: Error) => {
        if (!isLeft) put({ phase: "ended", message: error.message || "We couldn’t reach the server." });
      });
    return () => {
      isLeft = true;
      socket.current?.close();
      socket.current = null;
    };
  }, [attempt, canvas]);

  return {
    ...shown,
    send: (input: LiveInput) => socket.current?.send(input),
    openAgain: () => {
      setShown(start);
      setAttempt(attempt + 1);
    },
    dismissOptions: () => put({ options: [] }),
    dismissProof: () => put({ proof: null }),
  };
}
