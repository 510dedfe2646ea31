import * as Radix from "radix-ui/dialog";
import type { ReactNode, Ref } from "react";
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

/** Focuses the dialog's first field or live page, or else its first footer button, instead of the close button. */
function focusFirst(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  const first =
    content
      .querySelector("[data-body]")
      ?.querySelector<HTMLElement>(
        "[role=application], input:not([readonly], [type=radio], [type=date]), input:checked, textarea, select",
      ) ?? content.querySelector<HTMLElement>("[data-footer] button");
  if (!first) return;
  event.preventDefault();
  first.focus();
}

/** A modal dialog. The focus moves into it, stays inside, and returns to where it was. */
export function Dialog({ open, onClose, title, description, children, footer, wide = false }: DialogProps) {
  return (
    <Frame
      open={open}
      onClose={onClose}
      isDescribed={Boolean(description)}
      className={wide ? "max-w-160" : "max-w-105"}
    >
      <Head title={title} />
      <div data-body className="scrolled-edge min-h-0 overflow-y-auto px-5 pt-1 pb-5">
        {description && (
          <Radix.Description className="text-muted wrap-anywhere">{description}</Radix.Description>
        )}
        {children}
      </div>
      <Footer>{footer}</Footer>
    </Frame>
  );
}

type PageDialogProps = Omit<DialogProps, "open" | "wide"> & {
  /** The table of contents, beside the content or, where that doesn't fit, above it. */
  nav: ReactNode;
  /** The part that scrolls. */
  content?: Ref<HTMLDivElement>;
};

/** A dialog that takes the whole window, for what is too long to fit into one. */
export function PageDialog({ onClose, title, description, nav, content, children, footer }: PageDialogProps) {
  return (
    <Frame
      open
      onClose={onClose}
      isDescribed={Boolean(description)}
      className="h-[calc(100dvh-32px)] max-w-240 max-sm:h-dvh max-sm:max-h-dvh max-sm:rounded-none max-sm:border-0"
      isPage
    >
      <div className="border-b border-line pb-3">
        <Head title={title} />
        {description && (
          <Radix.Description className="px-5 text-sm text-muted wrap-anywhere max-sm:line-clamp-2">
            {description}
          </Radix.Description>
        )}
      </div>
      <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] max-md:grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[13rem_minmax(0,1fr)]">
        <div className="min-h-0 overflow-y-auto p-3 max-md:border-b max-md:border-line md:border-e md:border-line">
          {nav}
        </div>
        <div ref={content} data-body className="relative min-h-0 overflow-y-auto bg-canvas p-4">
          {children}
        </div>
      </div>
      <Footer>{footer}</Footer>
    </Frame>
  );
}

type FrameProps = Pick<DialogProps, "open" | "onClose" | "children"> & {
  isDescribed: boolean;
  isPage?: boolean;
  className: string;
};

function Frame({ open, onClose, isDescribed, isPage = false, className, children }: FrameProps) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-[oklch(0.2_0.02_225/0.45)]" />
        <div
          className={cx(
            "pointer-events-none fixed inset-0 z-50 grid grid-rows-[minmax(0,1fr)] place-items-center p-4",
            isPage && "max-sm:p-0",
          )}
        >
          <Radix.Content
            {...(isDescribed ? {} : { "aria-describedby": undefined })}
            onOpenAutoFocus={(event) => {
              focusReturn.onOpenAutoFocus();
              focusFirst(event);
            }}
            onCloseAutoFocus={focusReturn.onCloseAutoFocus}
            className={cx(
              "pointer-events-auto grid max-h-[calc(100dvh-32px)] w-full animate-rise grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] rounded-card border border-line bg-raised text-base shadow-float",
              className,
            )}
          >
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Head({ title }: { title: string }) {
  return (
    <div className="flex items-start gap-4 px-5 pt-4">
      <Radix.Title className="min-w-0 flex-1 pt-1 text-lg leading-6 font-semibold wrap-anywhere">
        {title}
      </Radix.Title>
      <Radix.Close asChild>
        <IconButton icon="close" label="Close dialog" className="-me-2" />
      </Radix.Close>
    </div>
  );
}

function Footer({ children }: { children: ReactNode }) {
  return (
    <div data-footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
      {children}
    </div>
  );
}
