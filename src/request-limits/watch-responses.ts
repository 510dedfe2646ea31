type Response = { bytes: number; cutOff: () => void };

export type ResponseRules = {
  /** Bytes of responses that one caller may leave unread; each of them is held in memory until it is read. */
  unreadBytes: number;
  /** A response of which nothing is read for this long is cut off. */
  stalledMs: number;
};

const defaults: ResponseRules = { unreadBytes: 128 * 1024 * 1024, stalledMs: 60_000 };

/** Watches responses that are being sent: nobody fills the memory by asking for large ones and not reading them. */
export function watchResponses(rules: Partial<ResponseRules> = {}) {
  const { unreadBytes, stalledMs } = { ...defaults, ...rules };
  const callers = new Map<string, Set<Response>>();

  function makeRoom(responses: Set<Response>): void {
    let unread = 0;
    for (const { bytes } of responses) unread += bytes;
    // The oldest was read most slowly. The newest stays, however large it is.
    for (const response of [...responses].slice(0, -1)) {
      if (unread <= unreadBytes) return;
      unread -= response.bytes;
      responses.delete(response);
      response.cutOff();
    }
  }

  return {
    stalledMs,
    /** Begins to watch a response; returns a function that ends it. `cutOff` is called if there are too many. */
    begin(caller: string, bytes: number, cutOff: () => void): () => void {
      const responses = callers.get(caller) ?? new Set<Response>();
      callers.set(caller, responses);
      const response = { bytes, cutOff };
      responses.add(response);
      makeRoom(responses);
      return () => {
        responses.delete(response);
        if (responses.size === 0) callers.delete(caller);
      };
    },
    get callers() {
      return callers.size;
    },
  };
}
