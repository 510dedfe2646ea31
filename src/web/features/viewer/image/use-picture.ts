import { useEffect, useState } from "react";

export type Picture = { src: string; width: number; height: number };

/** Loads a picture: undefined until it is decoded, "failed" if it cannot be shown. A new `attempt` tries again. */
export function usePicture(src: string, attempt: number): Picture | "failed" | undefined {
  const [state, setState] = useState<{ key: string; picture: Picture | "failed" }>();
  const key = `${attempt} ${src}`;
  useEffect(() => {
    let isWanted = true;
    const image = new Image();
    image.src = src;
    image.decode().then(
      () =>
        isWanted &&
        setState({ key, picture: { src, width: image.naturalWidth, height: image.naturalHeight } }),
      () => isWanted && setState({ key, picture: "failed" }),
    );
    return () => {
      isWanted = false;
    };
  }, [src, key]);
  return state?.key === key ? state.picture : undefined;
}
