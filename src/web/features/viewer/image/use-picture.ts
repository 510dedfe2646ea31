import { useEffect, useState } from "react";

export type Picture = { src: string; width: number; height: number };

/** A picture once it is decoded; "failed" when it cannot be shown. */
export function usePicture(src: string | null): Picture | "failed" | undefined {
  const [state, setState] = useState<{ src: string; picture: Picture | "failed" }>();
  useEffect(() => {
    if (!src) return;
    let isWanted = true;
    const image = new Image();
    image.src = src;
    image.decode().then(
      () =>
        isWanted &&
        setState({ src, picture: { src, width: image.naturalWidth, height: image.naturalHeight } }),
      () => isWanted && setState({ src, picture: "failed" }),
    );
    return () => {
      isWanted = false;
    };
  }, [src]);
  return state?.src === src ? state?.picture : undefined;
}
