/** What one execution saw of its target. Plain data: capture makes it, detection compares it, storage keeps it. */
export type Snapshot = {
  url: string;
  finalUrl: string;
  redirects: { url: string; status: number }[];
  status: number;
  /** Names in lower case, in the order received, repeated names repeated. */
  headers: [name: string, value: string][];
  protocol: string;
  tls: { issuer: string; expiresAt: string } | null;
  /** Milliseconds by phase; a phase that did not happen is absent. */
  timing: Partial<
    Record<
      "dns" | "connect" | "tls" | "firstByte" | "download" | "load" | "ready" | "picture" | "total",
      number
    >
  >;
  contentType: string;
  kind: ContentKind;
  /** The response body's exact bytes, decoded from transfer coding only. */
  body: Uint8Array;
  /** HTML after scripts ran; for other kinds the body as text, "" where it has none. */
  html: string;
  text: TextBlock[];
  title: string;
  links: { href: string; text: string }[];
  forms: { action: string; method: string; inputs: { name: string; type: string }[] }[];
  /** Those that were loaded; older captures name those within the page too, without a source. */
  scripts: { src: string | null; sha256: string }[];
  thirdPartyHosts: string[];
  cookies: { name: string; domain: string; secure: boolean; httpOnly: boolean; sameSite: string }[];
  consoleErrors: string[];
  /** `isCut` where what it shows goes on below: only the picture ends there. */
  picture: { png: Uint8Array; width: number; height: number; isCut?: boolean } | null;
  /** Pictures inside the page, where they stand in its own picture; absent where nobody looked. */
  images?: { src: string; box: { x: number; y: number; width: number; height: number } }[];
  /** Whether text, HTML or bytes were cut, so that they must not be compared. */
  truncated: boolean;
  /** Requests the guard or a limit refused while the page loaded. */
  blocked: { url: string; reason: string }[];
  /** What of `html` was in sight; absent where nobody looked or there was too much to say. */
  rendered?: Rendered;
  /** The elements that a job's selector chose, by index, where the rest was cut away (`applyRules`). */
  chosen?: number[];
  /** Where everything stood on the picture; absent where nobody looked. */
  layout?: Layout;
  /** Who took it: a browser (web pages), or plain HTTP (files of every other kind, their bytes exact). */
  via: "browser" | "http";
};

/**
 * What a browser showed of a page, element by element. An element is known by its index: the number of start tags
 * before its own in `html`, those inside the elements of `closedTags` and declarative shadow roots left out.
 * Whoever reads it counts first: another number of elements than `elements` means another page.
 */
export type Rendered = {
  elements: number;
  /** Not shown, with all inside: taken out by a style sheet, transparent, folded away, beside the canvas. */
  hidden: number[];
  /** Not shown either, but there for machines to read: cut to nothing, without size, far outside. */
  cloaked: number[];
  /** Shown although inside one of the others. */
  shown: number[];
  /** Words that style sheets write before and after an element's own. */
  written: { at: number; before?: string; after?: string }[];
};

/**
 * Boxes on a page's picture, packed (`readBoxes`): of each element by its index as `Rendered` counts them, and of each
 * block of `text`, behind the index of the element it stands in.
 */
export type Layout = { elements: number; boxes: string; texts: string };

/** Elements whose insides are no elements to a browser that runs scripts, or are no part of the page. */
export const closedTags: ReadonlySet<string> = new Set(
  "script style textarea title noscript iframe noembed noframes xmp plaintext template".split(" "),
);

export type ContentKind = "html" | "text" | "json" | "xml" | "javascript" | "pdf" | "image" | "other";

/** A run of visible text as a reader sees it: one block-level box. */
export type TextBlock = {
  role: "heading" | "paragraph" | "item" | "cell" | "control" | "code" | "other";
  /** The landmark it stands in: main, nav, header, footer, aside or "". */
  area: string;
  text: string;
};
