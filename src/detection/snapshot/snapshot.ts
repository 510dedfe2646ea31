/** What one execution captured. Plain data: capture creates it, detection compares it, storage stores it. */
export type Snapshot = {
  url: string;
  finalUrl: string;
  redirects: { url: string; status: number }[];
  status: number;
  /** Names in lower case, in the order received; a repeated header has several entries. */
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
  /** The exact bytes of the response body; only the transfer coding is decoded. */
  body: Uint8Array;
  /** HTML after scripts ran; for other kinds the body as text, "" if it has none. */
  html: string;
  text: TextBlock[];
  title: string;
  links: { href: string; text: string }[];
  forms: { action: string; method: string; inputs: { name: string; type: string }[] }[];
  /** Scripts that were loaded; older captures also list inline scripts, without a source. */
  scripts: { src: string | null; sha256: string }[];
  thirdPartyHosts: string[];
  cookies: { name: string; domain: string; secure: boolean; httpOnly: boolean; sameSite: string }[];
  consoleErrors: string[];
  /** `isCut`: the page goes on below; only the picture ends there. */
  picture: { png: Uint8Array; width: number; height: number; isCut?: boolean } | null;
  /** Images inside the page with their boxes on its picture; absent if they weren't recorded. */
  images?: { src: string; box: { x: number; y: number; width: number; height: number } }[];
  /** Whether text, HTML or bytes were cut, so that they must not be compared. */
  truncated: boolean;
  /** Requests that the guard or a limit refused while the page loaded. */
  blocked: { url: string; reason: string }[];
  /** Which parts of `html` were visible; absent if that wasn't recorded or was too much to record. */
  rendered?: Rendered;
  /** Indexes of the elements that the job's selector matched, if the rest was removed (`applyRules`). */
  chosen?: number[] | undefined;
  /** Only text is left of it: values that the job's selector yields, or the lines that its steps leave. */
  extracted?: true;
  /** Where everything is on the picture; absent if that wasn't recorded. */
  layout?: Layout;
  /** What was done about a consent banner; absent if there was none or if it was to stay. */
  consent?: {
    /** The rule that recognized the banner; "unknown" for one that no rule knows. */
    rule: string;
    action: "reject" | "accept" | "hide";
    result: "done" | "failed";
    /** The banner's words, cut. */
    text: string;
    /** Version of the rules. */
    version: string;
  };
  /** How it was captured: by a browser (web pages), or by plain HTTP (files of every other kind, with exact bytes). */
  via: "browser" | "http";
};

/**
 * What a browser showed of a page, element by element. An element's index is the number of start tags before its own in
 * `html`, not counting those inside the elements of `closedTags` and declarative shadow roots. Readers must count the
 * elements first: a number other than `elements` means another page.
 */
export type Rendered = {
  elements: number;
  /** Not shown, with everything inside: removed by a style sheet, transparent, collapsed, outside the canvas. */
  hidden: number[];
  /** Not shown either, but present for machines to read: clipped to nothing, without size, far outside. */
  cloaked: number[];
  /** Shown although inside a hidden or cloaked element. */
  shown: number[];
  /** Words that style sheets add before and after an element's own. */
  written: { at: number; before?: string; after?: string }[];
};

/**
 * Boxes on a page's picture, packed (`readBoxes`): one for each element, in the order of the indexes in `Rendered`, and
 * one for each block of `text`, after the index of the element that contains it.
 */
export type Layout = { elements: number; boxes: string; texts: string };

/** Elements whose content a browser that runs scripts doesn't parse as elements, or that isn't part of the page. */
export const closedTags: ReadonlySet<string> = new Set(
  "script style textarea title noscript iframe noembed noframes xmp plaintext template".split(" "),
);

export type ContentKind = "html" | "text" | "json" | "xml" | "javascript" | "pdf" | "image" | "other";

/** A run of visible text as a reader sees it: one block-level box. */
export type TextBlock = {
  role: "heading" | "paragraph" | "item" | "cell" | "control" | "code" | "other";
  /** The landmark that contains it: main, nav, header, footer, aside or "". */
  area: string;
  text: string;
};
