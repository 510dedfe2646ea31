import * as Radix from "radix-ui/dialog";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";
import { useFocusReturn } from "./use-focus-return.ts";

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  footer: ReactNode;
  wide?: boolean;
};

/** A dialog begins at its first field, else at the first thing it offers, not at the cross that closes it. */
function focusFirst(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  const first =
    content.querySelector<HTMLElement>(
      "input:not([readonly], [type=radio]), input:checked, textarea, select",
    ) ?? content.querySelector<HTMLElement>("[data-footer] button");
  if (!first) return;
  event.preventDefault();
  first.focus();
}

/** Asks one thing. Focus goes in, stays in, and returns to where it was. */
export function Dialog({ open, onClose, title, description, children, footer, wide = false }: DialogProps) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-[oklch(0.2_0.02_225/0.45)]" />
        <div className="pointer-events-none fixed inset-0 z-50 grid grid-rows-[minmax(0,1fr)] place-items-center p-4">
          <Radix.Content
            {...(description ? {} : { "aria-describedby": undefined })}
            onOpenAutoFocus={(event) => {
              focusReturn.onOpenAutoFocus();
              focusFirst(event);
            }}
            onCloseAutoFocus={focusReturn.onCloseAutoFocus}
            className={cx(
              "pointer-events-auto grid max-h-[calc(100dvh-32px)] w-full animate-rise grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] rounded-card border border-line bg-raised text-base shadow-float",
              wide ? "max-w-160" : "max-w-105",
            )}
          >
            <div className="flex items-start gap-4 px-5 pt-4">
              <Radix.Title className="min-w-0 flex-1 pt-1 text-lg leading-6 font-semibold wrap-anywhere">
                {title}
              </Radix.Title>
              <Radix.Close asChild>
                <IconButton icon="close" label="Close dialog" className="-me-2" />
              </Radix.Close>
            </div>
            <div className="scrolled-edge min-h-0 overflow-y-auto px-5 pt-1 pb-5">
              {description && (
                <Radix.Description className="text-muted wrap-anywhere">{description}</Radix.Description>
              )}
              {children}
            </div>
            <div data-footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </div>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
