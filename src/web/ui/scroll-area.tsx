import type { ComponentProps } from "react";

type ScrollAreaProps = ComponentProps<"section"> & { label: string };

/** A labeled scroll area that also scrolls by keyboard. */
export function ScrollArea({ label, ...rest }: ScrollAreaProps) {
  // Without a tab stop the arrow keys never reach it.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  return <section {...rest} aria-label={label} tabIndex={0} data-scroller />;
}
