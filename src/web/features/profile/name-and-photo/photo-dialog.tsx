import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { useRefreshMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Crop, maximumZoom, moveCrop, squareOf } from "./crop.ts";

const shownSize = 288;
const sentSize = 512;

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-0.05, 0],
  ArrowRight: [0.05, 0],
  ArrowUp: [0, -0.05],
  ArrowDown: [0, 0.05],
};

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const { left, top, side } = squareOf(picture.width, picture.height, crop);
  const context = canvas.getContext("2d");
  context?.clearRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
}

async function cropPicture(picture: ImageBitmap, crop: Crop): Promise<FormData> {
  const canvas = document.createElement("canvas");
  canvas.width = sentSize;
  canvas.height = sentSize;
  draw(canvas, picture, crop);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp", 0.9));
  if (!blob) throw new Error("The picture could not be cut.");
  const form = new FormData();
  form.append("photo", blob, "photo.webp");
  return form;
}

/** Crops the photo to a square by drag, arrow keys and zoom, and uploads only the crop. */
export function PhotoDialog({ picture, onClose }: { picture: ImageBitmap; onClose: () => void }) {
  const [crop, setCrop] = useState<Crop>({ x: 0.5, y: 0.5, zoom: 1 });
  // State instead of a ref: the dialog mounts its content a moment later, and the first drawing waits for it.
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const refreshMe = useRefreshMe();
  const save = useMutation({
    mutationFn: async () => call("PUT /api/me/photo", { body: await cropPicture(picture, crop) }),
    onSuccess: async ({ message }) => {
      await refreshMe();
      toast.success(message);
      onClose();
    },
  });
  useEffect(() => {
    if (canvas) draw(canvas, picture, crop);
  }, [canvas, picture, crop]);
  const move = (dx: number, dy: number) =>
    setCrop((previous) => moveCrop(picture.width, picture.height, previous, dx, dy));

  return (
    <Dialog
      open
      onClose={onClose}
      title="Update Photo"
      description="Drag the picture, or use the arrow keys to move it."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
            Save photo
          </Button>
        </>
      }
    >
      <div className="mt-4 grid justify-items-center gap-4">
        <button
          type="button"
          aria-label="Picture: arrow keys move it"
          className="cursor-move touch-none rounded-full"
          onKeyDown={(event) => {
            const step = steps[event.key];
            if (!step) return;
            event.preventDefault();
            move(...step);
          }}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => {
            if (event.buttons === 1) move(-event.movementX / shownSize, -event.movementY / shownSize);
          }}
        >
          <canvas
            ref={setCanvas}
            width={shownSize * 2}
            height={shownSize * 2}
            style={{ width: shownSize, height: shownSize }}
            className="max-w-full rounded-full bg-fill"
          />
        </button>
        <label className="flex w-full max-w-72 items-center gap-3 text-sm">
          Zoom
          <input
            type="range"
            min={1}
            max={maximumZoom}
            step={0.05}
            value={crop.zoom}
            onChange={(event) => setCrop({ ...crop, zoom: Number(event.target.value) })}
            className="w-full accent-accent-text"
          />
        </label>
        {save.error && (
          <p role="alert" className="text-sm text-removed">
            {save.error.message || "We couldn’t upload the photo. Your current one is unchanged."}
          </p>
        )}
      </div>
    </Dialog>
  );
}
