import type { Readable, Writable } from "node:stream";
import { decode, encode, headBytes, lengthOf } from "./cbor.ts";
import { CdpError } from "./cdp-error.ts";
import type { Answer, CdpEvent, Method, Params } from "./protocol.ts";

type Listener = (event: CdpEvent) => void;
type Waiting = { resolve: (result: never) => void; reject: (error: Error) => void; method: string };
type Message =
  | { id: number; result?: unknown; error?: { message: string } }
  | (CdpEvent & { id?: undefined; sessionId?: string });

// A picture of 40 megapixels that nothing could shrink is not half of it.
const maxMessageBytes = 2 ** 28;

/** DevTools over the two pipes of `--remote-debugging-pipe=cbor`. */
export class CdpPipe {
  readonly #writable: Writable;
  readonly #maxBytes: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #lastId = 0;
  #parts: Buffer[] = [];
  #held = 0;
  #wanted = headBytes;
  #goneBecause: string | undefined;

  constructor(writable: Writable, readable: Readable, maxBytes = maxMessageBytes) {
    this.#writable = writable;
    this.#maxBytes = maxBytes;
    readable.on("data", (chunk: Buffer) => this.#receive(chunk));
    const gone = () => this.fail("The browser closed its pipe");
    for (const stream of [writable, readable]) stream.on("close", gone).on("error", gone);
  }

  /** To the page of a session, or without one to the browser itself. */
  send<M extends Method>(
    sessionId: string | undefined,
    method: M,
    ...[params = {}]: Params<M>
  ): Promise<Answer<M>> {
    if (this.#goneBecause !== undefined) return Promise.reject(new CdpError("gone", this.#goneBecause));
    const id = ++this.#lastId;
    return new Promise<Answer<M>>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, method });
      this.#writable.write(encode({ id, method, params, sessionId }));
    });
  }

  /** Hears the events of one session, or with "" those of the browser itself; returns how to stop. */
  listen(sessionId: string, listener: Listener): () => void {
    const set = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.#listeners.get(sessionId) === set) this.#listeners.delete(sessionId);
    };
  }

  /** Ends every waiting command; later ones fail at once. */
  fail(reason: string): void {
    if (this.#goneBecause !== undefined) return;
    this.#goneBecause = reason;
    for (const waiting of this.#waiting.values()) waiting.reject(new CdpError("gone", reason));
    this.#waiting.clear();
    for (const set of this.#listeners.values()) {
      for (const listener of set) listener({ method: "gone" });
    }
    this.#listeners.clear();
    this.#parts = [];
  }

  #receive(chunk: Buffer): void {
    if (this.#goneBecause !== undefined) return;
    this.#parts.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= this.#wanted && this.#goneBecause === undefined) {
      const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
      const end = headBytes + (lengthOf(bytes) ?? Infinity);
      if (end > this.#maxBytes) return this.fail("The browser sent what is no message");
      this.#wanted = bytes.length < end ? end : headBytes;
      const rest = bytes.length < end ? bytes : bytes.subarray(end);
      this.#parts = rest.length > 0 ? [rest] : [];
      this.#held = rest.length;
      if (rest !== bytes) this.#read(bytes.subarray(0, end));
    }
  }

  #read(bytes: Buffer): void {
    let message: Message;
    try {
      message = decode(bytes) as Message;
    } catch {
      return this.fail("The browser sent a message that cannot be read");
    }
    this.#dispatch(message);
  }

  #dispatch(message: Message): void {
    if (message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(CdpError.answered(waiting.method, message.error.message));
      else waiting?.resolve(message.result as never);
      return;
    }
    for (const listener of this.#listeners.get(message.sessionId ?? "") ?? []) listener(message);
  }
}
