import type { CdpEvent, Protocol } from "./protocol.ts";

export type Document = {
  requestId: string;
  url: string;
  response: Protocol.Network.Response | null;
  /** Headers as they came, before the browser filtered them. */
  rawHeaders: Protocol.Network.Headers | null;
  finished: boolean;
  error: string | null;
};

const quietMs = 150;
const streams = new Set<string | undefined>(["EventSource", "WebSocket", "Ping", "Media"]);

/** What the page asked the network for: its document and redirects, what is still under way, scripts and hosts. */
export class NetworkLog {
  readonly redirects: { url: string; status: number }[] = [];
  readonly hosts = new Set<string>();
  readonly scripts = new Map<string, string>();
  document: Document | null = null;
  onDocument: (document: Document) => void = () => {};
  #busy = new Set<string>();
  #lastChange = 0;
  readonly #frameId: () => string;

  constructor(frameId: () => string) {
    this.#frameId = frameId;
  }

  /** Nothing under way, and nothing since a moment unless the page never had anything. */
  isQuiet(now: number, calm: boolean): boolean {
    return this.#busy.size === 0 && (calm || now - this.#lastChange >= quietMs);
  }

  handle(event: CdpEvent): void {
    if (event.method === "Network.requestWillBeSent") this.#sent(event.params);
    else if (event.method === "Network.responseReceived") this.#received(event.params);
    else if (event.method === "Network.responseReceivedExtraInfo") {
      const { requestId, headers } = event.params;
      if (this.document?.requestId === requestId) this.document.rawHeaders = headers;
    } else if (event.method === "Network.loadingFinished") this.#done(event.params.requestId, null);
    else if (event.method === "Network.loadingFailed") {
      this.#done(event.params.requestId, event.params.errorText);
    }
  }

  #sent({ requestId, request, redirectResponse, type, frameId }: Protocol.Network.RequestWillBeSentEvent) {
    const { url } = request;
    // What the page makes up itself (data:, blob:) comes from nowhere, and no such page replaces a document.
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
    // A stream is open for as long as the page lives; waiting for it would be waiting for nothing.
    if (!streams.has(type)) this.#busy.add(requestId);
  }

  #received({ requestId, response, type }: Protocol.Network.ResponseReceivedEvent): void {
    if (this.document?.requestId === requestId) {
      this.document.response = response;
      this.onDocument(this.document);
    } else if (type === "Script") this.scripts.set(response.url, requestId);
  }

  #done(requestId: string, error: string | null): void {
    this.#busy.delete(requestId);
    this.#lastChange = performance.now();
    if (this.document?.requestId !== requestId) return;
    this.document.finished = true;
    this.document.error = error;
    this.onDocument(this.document);
  }
}
