/** Why there is no browser to capture with, in words for the operator. */
export class BrowserProblem extends Error {
  /** Trying again can't help: there is no browser at all. */
  readonly isPermanent: boolean;

  constructor(
    message: string,
    { cause, isPermanent = false }: { cause?: unknown; isPermanent?: boolean } = {},
  ) {
    super(message, { cause });
    this.isPermanent = isPermanent;
  }
}
