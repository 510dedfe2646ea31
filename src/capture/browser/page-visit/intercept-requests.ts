import { type BrowserSettings, defaultBrowser } from "#contract/browser-settings.ts";
import type { Method, Params, Protocol } from "../devtools-protocol/protocol.ts";
import type { Tab } from "../tab.ts";
import type { VisitRequest } from "./visit-request.ts";

type BlockedType = NonNullable<BrowserSettings["block"]>[number];
const blockedTypes = { images: "Image", fonts: "Font", media: "Media" } as const satisfies Record<
  Exclude<BlockedType, "ads">,
  Protocol.Network.ResourceType
>;

/** Adds the user's headers to requests, and refuses those that the job doesn't load. */
export class RequestInterceptor {
  readonly #tab: Tab;
  readonly #request: VisitRequest;
  #isFirstSent = false;

  constructor(tab: Tab, request: VisitRequest) {
    this.#tab = tab;
    this.#request = request;
  }

  /** The requests that are held until we add headers to them or refuse them. */
  get patterns(): Protocol.Fetch.RequestPattern[] {
    const { headers, ask, url, adHosts } = this.#request;
    const requestStage = "Request" as const;
    if (adHosts && this.#blocks.includes("ads")) return [{ urlPattern: "*", requestStage }];
    const ownOrigin = { urlPattern: `${new URL(url).origin}/*`, requestStage };
    return [
      ...(headers.length > 0 || ask ? [ownOrigin] : []),
      ...this.#blocks.flatMap((type) =>
        type === "ads" ? [] : [{ resourceType: blockedTypes[type], requestStage }],
      ),
    ];
  }

  /** Continues or refuses a request that is held; `pageUrl` is the page that makes it. */
  answer(paused: Protocol.Fetch.RequestPausedEvent, pageUrl: string): void {
    const { requestId, resourceType } = paused;
    if (
      this.#blocks.some((type) =>
        type === "ads" ? this.#isAd(paused, pageUrl) : blockedTypes[type] === resourceType,
      )
    )
      this.#sendUnanswered("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else this.#continueWithHeaders(paused);
  }

  get #blocks(): readonly BlockedType[] {
    return this.#request.browser?.block ?? defaultBrowser.block;
  }

  /** Whether a request goes to a host of ads; the page itself is always loaded. */
  #isAd({ request, resourceType, frameId }: Protocol.Fetch.RequestPausedEvent, pageUrl: string): boolean {
    if (resourceType === "Document" && frameId === this.#tab.frameId) return false;
    const host = URL.parse(request.url)?.hostname ?? "";
    return this.#request.adHosts?.blocks(host, URL.parse(pageUrl)?.hostname ?? "") ?? false;
  }

  #continueWithHeaders(paused: Protocol.Fetch.RequestPausedEvent): void {
    const { requestId, request, resourceType, frameId } = paused;
    const { ask, headers } = this.#request;
    const isOwnOrigin =
      URL.canParse(request.url) && new URL(request.url).origin === new URL(this.#request.url).origin;
    if (!isOwnOrigin || (headers.length === 0 && !ask))
      return this.#sendUnanswered("Fetch.continueRequest", { requestId });
    const isFirst = !this.#isFirstSent && resourceType === "Document" && frameId === this.#tab.frameId;
    if (isFirst) this.#isFirstSent = true;
    const sent = isFirst && ask && ask.method !== "GET" ? ask : undefined;
    const type: VisitRequest["headers"] = sent?.contentType ? [["content-type", sent.contentType]] : [];
    const userHeaderNames = this.#request.headers.map(([name]) => name.toLowerCase());
    const askHeaders = [...(ask?.headers ?? []), ...type].filter(([name]) => !userHeaderNames.includes(name));
    const added = [...askHeaders, ...this.#request.headers];
    const addedNames = new Set(added.map(([name]) => name.toLowerCase()));
    const others = Object.entries(request.headers).filter(([name]) => !addedNames.has(name.toLowerCase()));
    this.#sendUnanswered("Fetch.continueRequest", {
      requestId,
      headers: [...others, ...added].map(([name, value]) => ({ name, value })),
      ...(sent && {
        method: sent.method,
        ...(sent.body !== undefined && { postData: Buffer.from(sent.body).toString("base64") }),
      }),
    });
  }

  #sendUnanswered<M extends Method>(method: M, ...params: Params<M>): void {
    this.#tab.send(method, ...params).catch(() => {});
  }
}
