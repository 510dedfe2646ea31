import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
} from "react";
import { type LiveInput, liveSize } from "#contract/live-view.ts";
import { cx } from "#web/ui/cx.ts";

/** "point": at the proof; "hover": at what the pointer rests on. */
export type Pointing = "point" | "hover";

type LivePageProps = {
  canvas: RefObject<HTMLCanvasElement | null>;
  /** What the next click points at, instead of being done on the page. */
  pointing: Pointing | null;
  isOpen: boolean;
  send: (input: LiveInput) => void;
  onPointed: () => void;
};

const moveGapMs = 50;
const shortcuts = /^(a|z|y|Backspace|Delete|Home|End|ArrowLeft|ArrowRight|ArrowUp|ArrowDown|Enter)$/;
const typed =
  /^(.|Enter|Tab|Backspace|Delete|Home|End|PageUp|PageDown|ArrowLeft|ArrowRight|ArrowUp|ArrowDown|F\d\d?)$/u;

/** The page, drawn as it comes; what is done with mouse and keyboard goes to it. Escape gives the keyboard back. */
export function LivePage({ canvas, pointing, isOpen, send, onPointed }: LivePageProps) {
  const lastMove = useRef(0);
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    const within = (share: number, most: number) => Math.min(most, Math.max(0, Math.round(share * most)));
    return {
      x: within((clientX - box.left) / box.width, liveSize.width),
      y: within((clientY - box.top) / box.height, liveSize.height),
    };
  };
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const limit = (distance: number) => Math.max(-2_000, Math.min(2_000, distance));
    send({ type: "wheel", ...pointOf(event), dx: limit(event.deltaX), dy: limit(event.deltaY) });
  });

  // React's own listeners for the wheel can't keep the page around it from scrolling.
  useEffect(() => {
    const element = canvas.current;
    if (!element || !isOpen) return;
    const listener = (event: WheelEvent) => onWheel(event);
    element.addEventListener("wheel", listener, { passive: false });
    return () => element.removeEventListener("wheel", listener);
  }, [canvas, isOpen]);

  function onMouse(event: MouseEvent, type: "press" | "release") {
    if (event.button !== 0 || !isOpen) return;
    if (pointing) {
      if (type === "press") send({ type: pointing, ...pointOf(event) });
      else onPointed();
      return;
    }
    send({ type, ...pointOf(event), clicks: event.detail >= 2 ? 2 : 1 });
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    if (!isOpen || key === "Escape") return;
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    // AltGr writes characters; the others of a shortcut stay with the browser, as for pasting.
    const isWriting = event.getModifierState("AltGraph") && [...key].length === 1;
    if (!typed.test(key) || (isShortcut && !isWriting && !shortcuts.test(key))) return;
    event.preventDefault();
    const modifiers = [
      ...(event.shiftKey && key.length > 1 ? (["Shift"] as const) : []),
      ...(!isWriting && (event.ctrlKey || event.metaKey) ? (["Control"] as const) : []),
      ...(!isWriting && event.altKey ? (["Alt"] as const) : []),
    ];
    send({ type: "key", key, modifiers });
  }

  return (
    // The page takes the keyboard as a remote desktop does, until Escape.
    <canvas
      ref={canvas}
      {...liveSize}
      // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role
      role="application"
      aria-label="The page in the live view"
      aria-describedby="live-view-keys"
      tabIndex={0}
      onMouseDown={(event) => onMouse(event, "press")}
      onMouseUp={(event) => onMouse(event, "release")}
      onMouseMove={(event) => {
        if (!isOpen || pointing || event.timeStamp - lastMove.current < moveGapMs) return;
        lastMove.current = event.timeStamp;
        send({ type: "move", ...pointOf(event) });
      }}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        event.preventDefault();
        const text = event.clipboardData.getData("text").slice(0, 5_000);
        if (text && isOpen) send({ type: "paste", text });
      }}
      className={cx(
        "block w-full rounded-control border border-line outline-offset-2",
        pointing && "cursor-crosshair",
        isOpen ? "bg-white" : "opacity-60",
      )}
      style={{ aspectRatio: `${liveSize.width} / ${liveSize.height}` }}
    />
  );
}
