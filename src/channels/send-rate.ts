/** Limits the rate of outgoing messages across all processes. */
export type SendRate = {
  /** Waits until sending is allowed. Returns 0 then, or the seconds after which to ask again if it takes too long. */
  take(key: string, everyMs: number): Promise<number>;
  /** Blocks all sending to this key for `seconds`, because the receiver asked for it. */
  pause(key: string, seconds: number): Promise<void>;
};
