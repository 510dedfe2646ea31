import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import type { PreviewedValue as Found } from "../rules/source.ts";

type PreviewedValueProps = { name: string; found: Found; image: string; of: string };

/** What a value reads from a capture, with its place on the picture. */
export function PreviewedValue({ name, found, image, of }: PreviewedValueProps) {
  const [isShown, setShown] = useState(false);
  if ("problem" in found) return null;
  const { text, number, box } = found;
  if (text === null)
    return <p className="text-sm text-changed">Not found in {of}. Alerts and conditions need it.</p>;
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <span className="min-w-0 wrap-anywhere">
          Reads <span className="font-mono text-ink">{number ?? text}</span>
          {number !== null && <> from “{text}”</>}
        </span>
        {box && (
          <Button size="sm" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? "Hide it" : "Show on the page"}
          </Button>
        )}
      </p>
      {box && isShown && (
        <svg
          role="img"
          aria-label={`Where ${name || "the value"} is on the page`}
          viewBox={`${Math.max(0, box.x - 160)} ${Math.max(0, box.y - 60)} ${box.width + 320} ${box.height + 120}`}
          className="max-h-48 w-full rounded-control border border-line bg-white"
        >
          <image href={image} x={0} y={0} />
          <rect
            x={box.x - 4}
            y={box.y - 4}
            width={box.width + 8}
            height={box.height + 8}
            rx={4}
            className="fill-none stroke-accent-text"
            strokeWidth={3}
          />
        </svg>
      )}
    </div>
  );
}
