import type { EventParams } from "../devtools-protocol/protocol.ts";
import type { Tab } from "../tab.ts";

/** Collects the document's exact bytes as they arrive. Other DevTools calls return it as text, already decoded. */
export class BodyCollector {
  readonly #tab: Tab;
  readonly #maxBytes: number;
  #requestId = "";
  #first: Promise<Buffer | null> = Promise.resolve(null);
  #buffered: Buffer | null = null;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(tab: Tab, maxBytes: number) {
    this.#tab = tab;
    this.#maxBytes = maxBytes;
  }

  follow(requestId: string): void {
    this.#requestId = requestId;
    this.#chunks = [];
    this.#size = 0;
    this.#buffered = null;
    this.#first = this.#tab
      .send("Network.streamResourceContent", { requestId })
      .then(({ bufferedData }) => {
        this.#buffered = bufferedData;
        return this.#buffered;
      })
      .catch(() => null);
  }

  /** Returns true once the document is too large. */
  take({ requestId, dataLength, data }: EventParams<"Network.dataReceived">): boolean {
    if (requestId !== this.#requestId) return false;
    this.#size += dataLength;
    if (data !== undefined) this.#chunks.push(data);
    return this.#size > this.#maxBytes;
  }

  mentions(text: string): boolean {
    return [this.#buffered, ...this.#chunks].some((part) => part?.includes(text));
  }

  async whole(requestId: string): Promise<Uint8Array> {
    const first = await this.#first;
    if (first !== null) return Buffer.concat([first, ...this.#chunks]);
    // The document was complete before it could be streamed.
    const answer = await this.#tab
      .send("Network.getResponseBody", { requestId })
      .catch(() => ({ body: "", base64Encoded: false }));
    return Buffer.from(answer.body, answer.base64Encoded ? "base64" : "utf8");
  }
}
