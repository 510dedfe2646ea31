import { useEffect, useState } from "react";

export type Picture = { src: string; width: number; height: number };

/** A picture once it is decoded; "failed" when it cannot be shown; `attempt` counts the tries. */
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
