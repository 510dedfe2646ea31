import type { CdpEvent } from "./cdp-pipe.ts";

export type CdpResponse = {
  url: string;
  status: number;
  headers: Record<string, string>;
  mimeType: string;
  protocol?: string;
  timing?: Record<string, number>;
  securityDetails?: { issuer: string; validTo: number };
};

export type Document = {
  requestId: string;
  url: string;
  response: CdpResponse | null;
  /** Headers as they came, before the browser filtered them. */
  rawHeaders: Record<string, string> | null;
  finished: boolean;
  error: string | null;
};

const quietMs = 150;

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

  handle({ method, params }: CdpEvent): void {
    const requestId = params.requestId as string;
    if (method === "Network.requestWillBeSent") this.#sent(requestId, params);
    else if (method === "Network.responseReceived") this.#received(requestId, params);
    else if (method === "Network.responseReceivedExtraInfo") {
      if (this.document?.requestId === requestId) {
        this.document.rawHeaders = params.headers as Record<string, string>;
      }
    } else if (method === "Network.loadingFinished" || method === "Network.loadingFailed") {
      this.#done(requestId, method === "Network.loadingFailed" ? (params.errorText as string) : null);
    }
  }

  #sent(requestId: string, params: Record<string, unknown>): void {
    const { url } = params.request as { url: string };
    const redirect = params.redirectResponse as CdpResponse | undefined;
    // What the page makes up itself (data:, blob:) comes from nowhere, and no such page replaces a document.
    if (!/^https?:/.test(url)) return;
    this.hosts.add(new URL(url).host);
    this.#lastChange = performance.now();
    if (params.type === "Document" && params.frameId === this.#frameId()) {
      const last = this.document;
      // A redirect by the server continues a request; one by the page (script, meta refresh) starts another.
      const from = redirect ?? last?.response;
      if (from) this.redirects.push({ url: from.url, status: from.status });
      this.document = { requestId, url, response: null, rawHeaders: null, finished: false, error: null };
      if (!redirect) this.scripts.clear();
      this.onDocument(this.document);
    }
    // A stream is open for as long as the page lives; waiting for it would be waiting for nothing.
    if (!["EventSource", "WebSocket", "Ping", "Media"].includes(params.type as string))
      this.#busy.add(requestId);
  }

  #received(requestId: string, params: Record<string, unknown>): void {
    const response = params.response as CdpResponse;
    if (this.document?.requestId === requestId) {
      this.document.response = response;
      this.onDocument(this.document);
    } else if (params.type === "Script") this.scripts.set(response.url, requestId);
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
