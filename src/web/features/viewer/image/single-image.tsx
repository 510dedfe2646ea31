import { useState } from "react";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import { Skeleton } from "#web/ui/states.tsx";
import { PictureLost } from "./image-compare.tsx";
import { usePicture } from "./use-picture.ts";

/** One screenshot by itself. */
export function SingleImage({ src, label, zoom }: { src: string; label: string; zoom: number }) {
  const [attempt, setAttempt] = useState(0);
  const picture = usePicture(src, attempt);
  if (picture === "failed") return <PictureLost onRetry={() => setAttempt(attempt + 1)} />;
  if (!picture) return <Skeleton className="m-4 flex-1" />;
  return (
    <ScrollArea label={label} className="min-h-0 flex-1 overflow-auto bg-sunken p-3 -outline-offset-2">
      <img
        src={picture.src}
        alt={`Screenshot, ${label}`}
        className="mx-auto max-w-none bg-white"
        style={{ width: `calc(min(100%, ${picture.width}px) * ${zoom})` }}
      />
    </ScrollArea>
  );
}
