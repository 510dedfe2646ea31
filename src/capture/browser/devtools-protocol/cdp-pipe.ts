import type { Readable, Writable } from "node:stream";
import { decode, encode, headBytes, lengthOf } from "./cbor.ts";
import { CdpError } from "./cdp-error.ts";
import type { Answer, CdpEvent, Method, Params } from "./protocol.ts";

type Listener = (event: CdpEvent) => void;
type PendingCommand = { resolve: (result: never) => void; reject: (error: Error) => void; method: string };
type Message =
  | { id: number; result?: unknown; error?: { message: string } }
  | (CdpEvent & { id?: undefined; sessionId?: string });

// An incompressible picture of 40 megapixels takes less than half of this.
const maxMessageBytes = 2 ** 28;

/** A DevTools client over the two pipes of `--remote-debugging-pipe=cbor`. */
export class CdpPipe {
  readonly #writable: Writable;
  readonly #maxBytes: number;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #lastId = 0;
  #parts: Buffer[] = [];
  #heldBytes = 0;
  #wantedBytes = headBytes;
  #goneReason: string | undefined;

  constructor(writable: Writable, readable: Readable, maxBytes = maxMessageBytes) {
    this.#writable = writable;
    this.#maxBytes = maxBytes;
    readable.on("data", (chunk: Buffer) => this.#receive(chunk));
    const onGone = () => this.fail("The browser closed its pipe");
    for (const stream of [writable, readable]) stream.on("close", onGone).on("error", onGone);
  }

  /** Sends a command to a session's page, or without a session to the browser itself. */
  send<M extends Method>(
    sessionId: string | undefined,
    method: M,
    ...[params = {}]: Params<M>
  ): Promise<Answer<M>> {
    if (this.#goneReason !== undefined) return Promise.reject(new CdpError("gone", this.#goneReason));
    const id = ++this.#lastId;
    return new Promise<Answer<M>>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, method });
      this.#writable.write(encode({ id, method, params, sessionId }));
    });
  }

  /** Listens to the events of one session, or with "" of the browser itself; returns a function that stops it. */
  listen(sessionId: string, listener: Listener): () => void {
    const set = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.#listeners.get(sessionId) === set) this.#listeners.delete(sessionId);
    };
  }

  /** Rejects every pending command; later ones fail immediately. */
  fail(reason: string): void {
    if (this.#goneReason !== undefined) return;
    this.#goneReason = reason;
    for (const command of this.#pending.values()) command.reject(new CdpError("gone", reason));
    this.#pending.clear();
    for (const set of this.#listeners.values()) {
      for (const listener of set) listener({ method: "gone" });
    }
    this.#listeners.clear();
    this.#parts = [];
  }

  #receive(chunk: Buffer): void {
    if (this.#goneReason !== undefined) return;
    this.#parts.push(chunk);
    this.#heldBytes += chunk.length;
    while (this.#heldBytes >= this.#wantedBytes && this.#goneReason === undefined) {
      const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
      const end = headBytes + (lengthOf(bytes) ?? Infinity);
      if (end > this.#maxBytes) return this.fail("The browser sent what is no message");
      this.#wantedBytes = bytes.length < end ? end : headBytes;
      const rest = bytes.length < end ? bytes : bytes.subarray(end);
      this.#parts = rest.length > 0 ? [rest] : [];
      this.#heldBytes = rest.length;
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
      const command = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error) command?.reject(CdpError.answered(command.method, message.error.message));
      else command?.resolve(message.result as never);
      return;
    }
    for (const listener of this.#listeners.get(message.sessionId ?? "") ?? []) listener(message);
  }
}
