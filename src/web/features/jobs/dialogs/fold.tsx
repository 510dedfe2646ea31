import { type ReactNode, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";

type FoldProps = {
  title: string;
  /** What is in it, in a few words. */
  note: string;
  start?: boolean;
  /** Something in it is wrong. */
  forced?: boolean;
  children: ReactNode;
};

/** A part of a long form that is folded until it is wanted. */
export function Fold({ title, note, start = false, forced = false, children }: FoldProps) {
  const [isOpen, setOpen] = useState(start);
  const isShown = isOpen || forced;
  return (
    <div className="rounded-control border border-line">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 rounded-control px-3 py-2 text-start font-medium hover:bg-hover"
      >
        <Icon name="chevronRight" className={cx("transition-transform", isShown && "rotate-90")} />
        <span className="whitespace-nowrap">{title}</span>
        <span className="ms-auto min-w-0 truncate text-sm font-normal text-muted">{note}</span>
      </button>
      {isShown && <div className="grid grid-cols-1 gap-6 border-t border-line p-3">{children}</div>}
    </div>
  );
}
