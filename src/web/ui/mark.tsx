/** The logo: a lens over a page edge, two strokes, drawn on a 16 px grid. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d="M2 14V2h8.5" className="stroke-quiet" />
      <circle cx="9.5" cy="9.5" r="4.75" className="stroke-accent-text" />
    </svg>
  );
}

/** The logo with the product's name, for headers. */
export function Wordmark() {
  return (
    <span className="flex items-center gap-2 text-lg font-semibold tracking-tight text-ink">
      <Mark />
      Watchglass
    </span>
  );
}
