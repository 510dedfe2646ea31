import { type ReactNode, useId } from "react";
import type { Inheritance } from "./inheritance.ts";

type SettingsSectionProps = {
  id: string;
  title: string;
  note?: string;
  inheritance?: Inheritance;
  groupName?: string;
  onSubmit?: () => void;
  footer?: ReactNode;
  children: ReactNode;
};

const inheritanceTexts: Record<NonNullable<Inheritance>, (group: string) => string> = {
  inherited: (group) => `Inherited from ${group}`,
  overridden: (group) => `Overrides the defaults of ${group}`,
  joined: (group) => `Added to the defaults of ${group}`,
};

/** One section of the settings page. The heading takes the focus when the section is opened by its link. */
export function SettingsSection(props: SettingsSectionProps) {
  const { id, title, note, inheritance, groupName = "", onSubmit, footer, children } = props;
  const headingId = useId();
  return (
    <form
      noValidate
      data-section={id}
      aria-labelledby={headingId}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.();
      }}
      className="min-w-0 scroll-mt-4 rounded-card border border-line bg-surface"
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line px-4 py-2.5">
        <h3 id={headingId} tabIndex={-1} className="text-base outline-none">
          {title}
        </h3>
        {note && <span className="ms-auto min-w-0 truncate text-sm text-muted">{note}</span>}
        {inheritance && (
          <p className="w-full truncate text-sm text-info">{inheritanceTexts[inheritance](groupName)}</p>
        )}
      </div>
      <div className="grid grid-cols-1 gap-4 p-4">{children}</div>
      {footer && (
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
          {footer}
        </div>
      )}
    </form>
  );
}
