import { useState } from "react";
import { cx } from "./cx.ts";
import { Icon } from "./icon.tsx";

type Props = {
  /** Undefined if there is no picture. */
  src: string | undefined;
  hasFailed?: boolean;
  alt?: string;
  className: string;
  lazy?: boolean;
};

/** The thumbnail of an execution; an icon if there is none or it fails to load. */
export function Thumbnail({ src, hasFailed = false, alt = "", className, lazy = false }: Props) {
  const [broken, setBroken] = useState<string>();
  if (!src || broken === src) {
    return (
      <span aria-hidden="true" className={cx(className, "grid place-items-center text-quiet")}>
        <Icon name={hasFailed ? "alert" : "image"} />
      </span>
    );
  }
  return (
    <img
      src={src}
      alt={alt}
      {...(lazy && { loading: "lazy" })}
      decoding="async"
      onError={() => setBroken(src)}
      className={cx(className, "object-cover object-top")}
    />
  );
}
