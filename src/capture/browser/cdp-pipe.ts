import type { Readable, Writable } from "node:stream";

export type CdpEvent = { method: string; params: Record<string, unknown>; sessionId?: string };
type Listener = (event: CdpEvent) => void;
type Waiting = { resolve: (result: never) => void; reject: (error: Error) => void; method: string };
type Message = {
  id?: number;
  result?: unknown;
  error?: { message: string };
  method?: string;
  params?: Record<string, unknown>;
  sessionId?: string;
};

/** A command that the browser answered with an error, or never will because it is gone. */
export class CdpError extends Error {
  readonly gone: boolean;
  constructor(message: string, gone: boolean) {
    super(message);
    this.gone = gone;
  }
}

/** DevTools over the two pipes of `--remote-debugging-pipe`: JSON messages, each ended by a zero byte. */
export class CdpPipe {
  readonly #writable: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<Listener>>();
  #lastId = 0;
  #parts: Buffer[] = [];
  #goneBecause: string | undefined;

  constructor(writable: Writable, readable: Readable) {
    this.#writable = writable;
    readable.on("data", (chunk: Buffer) => this.#receive(chunk));
    const gone = () => this.fail("The browser closed its pipe");
    for (const stream of [writable, readable]) stream.on("close", gone).on("error", gone);
  }

  send<Result = Record<string, unknown>>(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
  ): Promise<Result> {
    if (this.#goneBecause !== undefined) return Promise.reject(new CdpError(this.#goneBecause, true));
    const id = ++this.#lastId;
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, method });
      this.#writable.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
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
    for (const waiting of this.#waiting.values()) waiting.reject(new CdpError(reason, true));
    this.#waiting.clear();
    for (const set of this.#listeners.values()) {
      for (const listener of set) listener({ method: "gone", params: {} });
    }
    this.#listeners.clear();
    this.#parts = [];
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const tail = chunk.subarray(start, end);
      const text = this.#parts.length === 0 ? tail : Buffer.concat([...this.#parts, tail]);
      this.#parts = [];
      start = end + 1;
      this.#dispatch(JSON.parse(text.toString("utf8")) as Message);
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  #dispatch(message: Message): void {
    if (message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new CdpError(`${waiting.method}: ${message.error.message}`, false));
      else waiting?.resolve(message.result as never);
      return;
    }
    const { method, params = {}, sessionId = "" } = message;
    if (method === undefined) return;
    for (const listener of this.#listeners.get(sessionId) ?? []) listener({ method, params, sessionId });
  }
}
