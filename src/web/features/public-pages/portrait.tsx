/** A portrait of the author: the operator's picture, or else a drawing. */
export function Portrait({ src }: { src: string | null }) {
  const shape = "size-28 shrink-0 rounded-card border border-line bg-surface";
  if (src) return <img src={src} alt="The person who built Watchglass" className={`${shape} object-cover`} />;
  return (
    <svg viewBox="0 0 112 112" role="img" aria-label="A drawn portrait" className={shape}>
      <g fill="none" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M34 92c2-17 11-25 22-25s20 8 22 25" className="fill-fill stroke-quiet" />
        <path
          d="M41 43c0-12 7-19 15-19s15 7 15 19-7 21-15 21-15-9-15-21Z"
          className="fill-raised stroke-quiet"
        />
        <path d="M40 42c1-14 8-21 17-21 8 0 14 5 15 17-9 1-17-2-21-8-2 6-6 10-11 12Z" className="fill-edge" />
        <circle cx="49.500" cy="45" r="5.500" className="stroke-accent-text" />
        <circle cx="64" cy="45" r="5.500" className="stroke-accent-text" />
        <path d="M55 45h3.500" className="stroke-accent-text" />
        <path d="M52 56c3 2 6 2 9 0" className="stroke-quiet" />
        <path d="M18 92h76" className="stroke-line-strong" />
      </g>
    </svg>
  );
}
