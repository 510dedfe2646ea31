import type { Client } from "#client/create-client.ts";
import type { CliEnvironment } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** Everything that a command works with. */
export type Context = {
  terminal: Terminal;
  around: CliEnvironment;
  stdin: NodeJS.ReadStream;
  /** The client for the account that is logged in. */
  client: () => Promise<Client>;
  /** The address of that account's installation. */
  url: () => Promise<string>;
  signal: AbortSignal;
};

/** Ends a command with a message and an exit code: 1 for a failure, 2 for wrong usage, 3 if there is a change. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const exitCodes = { failed: 1, usage: 2, changed: 3, interrupted: 130 } as const;
