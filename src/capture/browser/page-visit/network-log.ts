import type { CdpEvent, Protocol } from "../devtools-protocol/protocol.ts";

export type Document = {
  requestId: string;
  url: string;
  response: Protocol.Network.Response | null;
  /** Headers as received, before the browser filtered them. */
  rawHeaders: Protocol.Network.Headers | null;
  finished: boolean;
  error: string | null;
};

const quietMs = 150;
const streams = new Set<string | undefined>(["EventSource", "WebSocket", "Ping", "Media"]);

/** Records the page's network activity: its document and redirects, pending requests, scripts and hosts. */
export class NetworkLog {
  readonly redirects: { url: string; status: number }[] = [];
  readonly hosts = new Set<string>();
  readonly scripts = new Map<string, string>();
  document: Document | null = null;
  /** The URL that the page shows, which scripts may change without a request; null until there is one. */
  shownUrl: string | null = null;
  onDocument: (document: Document) => void = () => {};
  #pending = new Set<string>();
  #lastChange = 0;
  readonly #frameId: () => string;

  constructor(frameId: () => string) {
    this.#frameId = frameId;
  }

  /** Whether nothing is pending and, unless the page has no scripts (`calm`), nothing happened for `forMs`. */
  isQuiet(now: number, calm: boolean, forMs = quietMs): boolean {
    return this.#pending.size === 0 && (calm || now - this.#lastChange >= forMs);
  }

  handle(event: CdpEvent): void {
    if (event.method === "Network.requestWillBeSent") this.#onSent(event.params);
    else if (event.method === "Page.navigatedWithinDocument") this.#onShown(event.params);
    else if (event.method === "Page.frameNavigated") {
      const { id, url, urlFragment = "", unreachableUrl } = event.params.frame;
      this.#onShown({ frameId: id, url: unreachableUrl ?? url + urlFragment });
    } else if (event.method === "Network.responseReceived") this.#onReceived(event.params);
    else if (event.method === "Network.responseReceivedExtraInfo") {
      const { requestId, headers } = event.params;
      if (this.document?.requestId === requestId) this.document.rawHeaders = headers;
    } else if (event.method === "Network.loadingFinished") this.#onDone(event.params.requestId, null);
    else if (event.method === "Network.loadingFailed") {
      this.#onDone(event.params.requestId, event.params.errorText);
    }
  }

  #onShown({ frameId, url }: { frameId: string; url: string }): void {
    if (frameId === this.#frameId()) this.shownUrl = url;
  }

  #onSent({ requestId, request, redirectResponse, type, frameId }: Protocol.Network.RequestWillBeSentEvent) {
    const { url } = request;
    // URLs that the page makes itself (data:, blob:) need no network, and such a page never replaces a document.
    if (!/^https?:/.test(url)) return;
    this.hosts.add(new URL(url).host);
    this.#lastChange = performance.now();
    if (type === "Document" && frameId === this.#frameId()) {
      const last = this.document;
      // A redirect by the server continues a request; one by the page (script, meta refresh) starts another.
      const from = redirectResponse ?? last?.response;
      if (from) this.redirects.push({ url: from.url, status: from.status });
      this.document = { requestId, url, response: null, rawHeaders: null, finished: false, error: null };
      if (!redirectResponse) this.scripts.clear();
      this.onDocument(this.document);
    }
    // A stream stays open as long as the page lives, so waiting for its end is useless.
    if (!streams.has(type)) this.#pending.add(requestId);
  }

  #onReceived({ requestId, response, type }: Protocol.Network.ResponseReceivedEvent): void {
    if (this.document?.requestId === requestId) {
      this.document.response = response;
      this.onDocument(this.document);
    } else if (type === "Script") this.scripts.set(response.url, requestId);
  }

  #onDone(requestId: string, error: string | null): void {
    this.#pending.delete(requestId);
    this.#lastChange = performance.now();
    if (this.document?.requestId !== requestId) return;
    this.document.finished = true;
    this.document.error = error;
    this.onDocument(this.document);
  }
}
