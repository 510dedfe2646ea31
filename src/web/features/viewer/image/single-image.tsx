import { useEffect, useState } from "react";
import { ScrollArea } from "#web/ui/scroll-area.tsx";
import { Skeleton } from "#web/ui/states.tsx";
import { useWidth } from "#web/ui/use-width.ts";
import { PictureFailed } from "./image-compare.tsx";
import { usePicture } from "./use-picture.ts";

type SingleImageProps = {
  src: string;
  label: string;
  zoom: number | null;
  onFit: (scale: number) => void;
};

/** One screenshot by itself. */
export function SingleImage({ src, label, zoom, onFit }: SingleImageProps) {
  const [attempt, setAttempt] = useState(0);
  const picture = usePicture(src, attempt);
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const availableWidth = useWidth(frame);
  const width = picture && picture !== "failed" ? picture.width : 0;
  const fit = width > 0 && availableWidth > 0 ? Math.min(1, availableWidth / width) : 1;
  useEffect(() => onFit(fit), [onFit, fit]);
  if (picture === "failed") return <PictureFailed onRetry={() => setAttempt(attempt + 1)} />;
  if (!picture) return <Skeleton className="m-4 flex-1" />;
  return (
    <ScrollArea
      ref={setFrame}
      label={label}
      className="min-h-0 flex-1 overflow-auto bg-sunken p-3 -outline-offset-2"
    >
      <img
        src={picture.src}
        alt={`Screenshot, ${label}`}
        className="mx-auto max-w-none bg-white"
        style={{ width: picture.width * (zoom ?? fit) }}
      />
    </ScrollArea>
  );
}
