import { Toaster as HotToaster } from "react-hot-toast";

/** Where toasts appear; limits and durations are the library's own (20; 4 s, success 2 s). */
export function Toaster() {
  return (
    // An open dialog hides everything else from screen readers, except what has this attribute: a toast's Undo must stay
    // reachable. Each toast announces itself.
    <div aria-live="off">
      <HotToaster
        position="bottom-right"
        toastOptions={{
          className:
            "!max-w-[min(26.25rem,calc(100vw-2rem))] !rounded-card !border !border-line !bg-raised !text-base !text-ink !shadow-float",
          success: { iconTheme: { primary: "var(--color-added)", secondary: "var(--color-surface)" } },
          error: { iconTheme: { primary: "var(--color-danger)", secondary: "var(--color-on-danger)" } },
        }}
      />
    </div>
  );
}
