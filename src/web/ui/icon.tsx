import { cx } from "./cx.ts";

// Our own set, on a 16 px grid with 1.5 px strokes.
const paths = {
  alert:
    "M8 5.5v3.25M8 11v.01M7 2.6 1.7 11.8A1.2 1.2 0 0 0 2.75 13.6h10.5a1.2 1.2 0 0 0 1.05-1.8L9 2.6a1.2 1.2 0 0 0-2 0Z",
  arrowRight: "M2.75 8h10.5M9 3.75 13.25 8 9 12.25",
  bell: "M4 7a4 4 0 1 1 8 0c0 3 1.25 4 1.25 4H2.75S4 10 4 7M6.75 13.5h2.5",
  camera: "M1.75 5.5h2.5L5.5 3.5h5l1.25 2h2.5v7.25H1.75ZM8 11a2.25 2.25 0 1 0 0-4.5A2.25 2.25 0 0 0 8 11Z",
  card: "M1.75 3.5h12.5v9H1.75ZM1.75 6.5h12.5M4 10h2.5",
  check: "M3 8.5 6.25 11.75 13 4.75",
  chevronDown: "M4 6.25 8 10.25l4-4",
  chevronLeft: "M9.75 4 5.75 8l4 4",
  chevronRight: "M6.25 4l4 4-4 4",
  clock: "M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5ZM8 4.75V8l2.25 1.5",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M5.75 5.75h7.5v7.5h-7.5ZM10.25 5.5V2.75h-7.5v7.5H5.5",
  download: "M8 2.25v8M4.75 7.25 8 10.5l3.25-3.25M2.75 13.5h10.5",
  exit: "M6.25 2.75h-3.5v10.5h3.5M6.5 8h7.25M10.75 5l3 3-3 3",
  external: "M9.5 2.75h3.75V6.5M13 3 7.5 8.5M11.25 9.5v3.75h-8.5v-8.5H6.5",
  eye: "M1.5 8S4 3.75 8 3.75 14.5 8 14.5 8 12 12.25 8 12.25 1.5 8 1.5 8ZM8 9.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5Z",
  filter: "M2 3.5h12M4.5 8h7M6.75 12.5h2.5",
  folder: "M1.75 12.75V3.25H6l1.5 2h6.75v7.5ZM8 7.5v3.5M6.25 9.25h3.5",
  gauge: "M2.25 2.25h5v5h-5ZM8.75 2.25h5v3h-5ZM8.75 6.75h5v7h-5ZM2.25 8.75h5v5h-5Z",
  gear: "M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6M9.75 6.25a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5ZM6.25 13.25a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5Z",
  image: "M1.75 2.75h12.5v10.5H1.75ZM2 11.5l3.5-3.5 2.5 2.5 2-2 4 4M10.5 6v.01",
  info: "M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5ZM8 7.5v3.5M8 5v.01",
  jobs: "M2 4.25h.01M2 8h.01M2 11.75h.01M5 4.25h9M5 8h9M5 11.75h9",
  link: "M6.75 9.25a2.5 2.5 0 0 0 3.5 0l2.5-2.5a2.5 2.5 0 0 0-3.5-3.5l-.75.75M9.25 6.75a2.5 2.5 0 0 0-3.5 0l-2.5 2.5a2.5 2.5 0 0 0 3.5 3.5l.75-.75",
  mail: "M1.75 3.5h12.5v9H1.75ZM2 4l6 5 6-5",
  menu: "M2 4h12M2 8h12M2 12h12",
  minus: "M3.25 8h9.5",
  monitor: "M1.75 2.75h12.5v8H1.75ZM5.5 13.5h5M8 10.75v2.75",
  moon: "M13.25 9.5A5.75 5.75 0 0 1 6.5 2.75a5.75 5.75 0 1 0 6.75 6.75Z",
  panel: "M1.75 2.75h12.5v10.5H1.75ZM10 3v10",
  pause: "M5.25 3v10M10.75 3v10",
  pencil: "M3 10.75 10.75 3 13 5.25 5.25 13 2.5 13.5Z",
  pick: "M3 3l4 10.25 1.6-4.65L13.25 7ZM9 9l4 4",
  play: "M4.5 2.75 12.5 8l-8 5.25Z",
  plus: "M8 3.25v9.5M3.25 8h9.5",
  refresh: "M13.25 8a5.25 5.25 0 1 1-1.5-3.7l1.5 1.45M13.25 2.5v3.25H10",
  report: "M3.25 1.75h6.5l3 3v9.5h-9.5ZM9.5 2v3h3M5.75 8h4.5M5.75 10.75h4.5",
  search: "M7 11.75a4.75 4.75 0 1 0 0-9.5 4.75 4.75 0 0 0 0 9.5ZM10.5 10.5l3.25 3.25",
  send: "M14 2 7 9M14 2 9.5 14 7 9 2 6.5Z",
  share: "M8 9.75v-7.5M5 5l3-3 3 3M4.5 7.25H2.75v6.25h10.5V7.25H11.5",
  stop: "M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5ZM3.75 3.75l8.5 8.5",
  sun: "M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7",
  timeline: "M1.75 8h12.5M4 5v6M7 6.5v3M9.5 3.5v9M12.25 6.5v3",
  trash: "M2.5 4.25h11M6 4V2.25h4V4M4 4.5l.5 9h7l.5-9M6.75 7v4M9.25 7v4",
  user: "M8 7.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM2.75 13.75c.5-2.5 2.5-3.75 5.25-3.75s4.75 1.25 5.25 3.75",
  wrap: "M2 3.5h12M2 8h9.5a2.25 2.25 0 0 1 0 4.5H8.5M10.25 10.75 8.5 12.5l1.75 1.75M2 12.5h3.5",
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon; the text next to it (or the button's label) carries the meaning. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={cx("size-4 shrink-0", className)}
    >
      <path d={paths[name]} />
    </svg>
  );
}
