import { useRef, useState } from "react";
import toast from "react-hot-toast";
import type { Me } from "#web/api/me.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { PhotoDialog } from "./photo-dialog.tsx";

/** The photo, with a button to replace it. */
export function Photo({ me }: { me: Me }) {
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ImageBitmap>();

  async function open(file: File | undefined) {
    if (!file) return;
    try {
      setPicture(await createImageBitmap(file));
    } catch {
      toast.error("We can’t read this file as a picture. Use a JPEG, PNG or WebP file.");
    }
  }

  return (
    <div className="flex items-center gap-4">
      <Avatar {...me} className="size-16 text-xl" />
      <Button icon="camera" onClick={() => input.current?.click()}>
        Update Photo
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Photo file"
        accept="image/jpeg,image/png,image/webp"
        onChange={(event) => {
          void open(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      {picture && <PhotoDialog picture={picture} onClose={() => setPicture(undefined)} />}
    </div>
  );
}
