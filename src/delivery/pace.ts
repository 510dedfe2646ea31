/** Keeps the rate of outgoing messages over all processes. */
export type Pace = {
  /** Waits for a turn; answers 0 when it has come, or the seconds after which to ask again when that takes too long. */
  take(key: string, everyMs: number): Promise<number>;
  /** Nobody gets a turn for so long: the receiver asked for it. */
  pause(key: string, seconds: number): Promise<void>;
};
