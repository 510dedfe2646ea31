import type { Client } from "#client/create-client.ts";
import type { Surroundings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** What a command works with. */
export type Context = {
  terminal: Terminal;
  around: Surroundings;
  stdin: NodeJS.ReadStream;
  /** The client of the account that is logged in. */
  client: () => Promise<Client>;
  /** Which installation that is. */
  url: () => Promise<string>;
  signal: AbortSignal;
};

/** A command that ends with a sentence; 1: it failed, 2: it was called wrongly, 3: there is a change. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const exitCodes = { failed: 1, usage: 2, changed: 3 } as const;
