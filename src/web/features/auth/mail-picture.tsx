/** An illustration: an envelope under the lens of our logo. */
export function MailPicture() {
  return (
    <svg viewBox="0 0 320 240" className="w-full max-w-90" fill="none" aria-hidden="true">
      <g strokeWidth="2" strokeLinejoin="round" strokeLinecap="round">
        <path d="M36 62h200v132H36Z" className="fill-canvas stroke-line-strong" />
        <path d="m36 64 100 76L236 64" className="stroke-line-strong" />
        <path d="m38 192 68-74M234 192l-68-74" className="stroke-line-strong" />
      </g>
      <circle cx="218" cy="138" r="62" className="fill-surface stroke-accent-text" strokeWidth="5" />
      <g className="stroke-line-strong" strokeWidth="6" strokeLinecap="round">
        <path d="M186 112h64" />
        <path d="M186 164h38" />
      </g>
      <rect x="180" y="124" width="76" height="26" rx="6" className="fill-accent" />
      <path
        d="M194 137h40m-8-6 8 6-8 6"
        className="stroke-accent-ink"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
