import { type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

type CardProps = {
  title: string;
  lang?: string;
  note?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
};

/** A titled panel of the app. */
export function Card({ title, lang, note, aside, children, className }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={cx("min-w-0 overflow-clip rounded-card border border-line bg-surface", className)}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3">
        <h2 id={id} lang={lang} className="flex-1 text-base whitespace-nowrap">
          {title}
        </h2>
        {aside}
        {note && <p className="w-full text-sm text-muted">{note}</p>}
      </div>
      {children}
    </section>
  );
}
