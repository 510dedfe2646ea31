import sharp from "sharp";
import type { CaptureCallbacks, CaptureRequest, CaptureResult } from "#capture/capture-page.ts";
import type { Evidence } from "#capture/plain-http/http-evidence.ts";
import type { CaptureFailure, ContentKind, Snapshot } from "#contract/capture.ts";

type Page = {
  html: string;
  title: string;
  kind: ContentKind;
  status: number;
  headers: [string, string][];
  truncated: boolean;
  isCut?: boolean;
  failure: CaptureFailure | null;
  /** How the browser opened the page. */
  opening?: Pick<Evidence, "consent" | "consentRules">;
  /** Thrown instead of an answer. */
  bug?: Error;
  /** Where the page leads. */
  links?: Snapshot["links"];
  /** The gray value of all pixels of the picture. */
  shade: number;
};

/** A stand-in for the watched site, with a page that tests can change. */
export function createStandInSite() {
  const initialPage: Page = {
    html: html("Hello"),
    title: "A page",
    kind: "html",
    status: 200,
    headers: [],
    truncated: false,
    failure: null,
    shade: 200,
  };
  const page: Page = { ...initialPage };
  const requests: CaptureRequest[] = [];
  /** Changes to the page for the next captures, one each. */
  const next: Partial<Page>[] = [];
  const holds: { asking?: Promise<void> | undefined; drawing?: Promise<void> | undefined } = {};

  async function capture(request: CaptureRequest, callbacks?: CaptureCallbacks): Promise<CaptureResult> {
    requests.push(request);
    const shown = { ...page, ...next.shift() };
    await holds.asking;
    callbacks?.onSiteDone?.();
    await holds.drawing;
    if (shown.bug) throw shown.bug;
    if (shown.failure) return { ok: false, failure: shown.failure, snapshot: null };
    return {
      ok: true,
      unchanged: false,
      snapshot: await snapshotOf(request.url, shown),
      evidence: {
        kind: shown.kind,
        validator: null,
        ...(request.browser && { browser: request.browser }),
        ...(request.proxies?.length && {
          proxies: request.proxies.map(({ id }) => id),
          proxy: request.proxies[0]?.id,
        }),
        ...shown.opening,
      } as never,
    };
  }
  return {
    page,
    requests,
    next,
    capture,
    /** Undoes what an earlier test file changed. */
    reset() {
      delete page.bug;
      delete page.isCut;
      delete page.opening;
      delete page.links;
      Object.assign(page, initialPage);
      requests.length = 0;
      next.length = 0;
    },
    /** Holds captures back until the returned function is called: before the site answers, or once it has answered. */
    pause(at: keyof typeof holds = "asking") {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds[at] = promise;
      return () => {
        holds[at] = undefined;
        resolve();
      };
    },
  };
}

export function html(...paragraphs: string[]): string {
  const body = paragraphs.map((text) => `<p>${text}</p>`).join("");
  return `<!doctype html><html><head><title>A page</title></head><body><main>${body}</main></body></html>`;
}

/** Long enough that one more paragraph is only a small part of the page. */
export const story = Array.from(
  { length: 30 },
  (_, i) =>
    `Sentence number ${["one", "two", "three"][i % 3]} of part ${String.fromCharCode(97 + (i % 26))}${i} stands here.`,
);

// Each picture is drawn once per worker, and most tests use only one shade.
const pictures = new Map<number, Promise<Buffer>>();
function pictureOf(shade: number): Promise<Buffer> {
  const background = { r: shade, g: shade, b: shade };
  const picture =
    pictures.get(shade) ??
    sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .png()
      .toBuffer();
  pictures.set(shade, picture);
  return picture;
}

async function snapshotOf(url: string, page: Page): Promise<Snapshot> {
  // A copy, because a capture's bytes may be transferred to another thread.
  const png = Buffer.from(await pictureOf(page.shade));
  return {
    url,
    finalUrl: url,
    redirects: [],
    status: page.status,
    headers: [["content-type", "text/html"], ...page.headers],
    protocol: "http/1.1",
    tls: null,
    timing: { total: 1300 },
    contentType: "text/html",
    kind: page.kind,
    body: Buffer.from(page.html),
    html: page.html,
    text: Array.from(page.html.matchAll(/<p>(.*?)<\/p>/g), ([, text = ""]) => ({
      role: "paragraph",
      area: "main",
      text: text.replace(/<[^>]+>/g, "").replaceAll("&quot;", '"'),
    })),
    title: page.title,
    links: page.links ?? [],
    forms: [],
    scripts: [],
    thirdPartyHosts: [],
    cookies: [],
    consoleErrors: [],
    picture: { png, width: 64, height: 48, ...(page.isCut ? { isCut: true } : {}) },
    truncated: page.truncated,
    blocked: [],
    via: "browser",
  };
}
