import type { MouseEvent } from "react";

/** The first tab stop of a page: leads past the menu to the content. */
export function SkipLink() {
  return (
    <a
      href="#content"
      onClick={focusContent}
      className="sr-only rounded-control bg-accent px-3 py-1 text-base text-accent-ink focus:not-sr-only focus:absolute focus:z-20 focus:m-2"
    >
      Skip to content
    </a>
  );
}

/** Moves the focus without a URL change, which would make React render the content again during hydration. */
function focusContent(event: MouseEvent) {
  event.preventDefault();
  document.getElementById("content")?.focus();
}
