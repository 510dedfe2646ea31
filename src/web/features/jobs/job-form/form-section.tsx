import { type ReactNode, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Icon } from "#web/ui/icon.tsx";

type FoldProps = {
  title: string;
  /** A short summary of the content. */
  note: string;
  start?: boolean;
  /** Keeps the section open because its content has a problem. */
  forced?: boolean;
  children: ReactNode;
};

/** A collapsible section of a long form. */
export function FormSection({ title, note, start = false, forced = false, children }: FoldProps) {
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
