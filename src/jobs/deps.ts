import type { Deps as CheckDeps } from "#checks/deps.ts";

/** What the functions that act for a signed-in user need. */
export type Deps = CheckDeps & {
  /** Why an address may not be requested, in words; null when it may. */
  refuseTarget: (url: string) => Promise<string | null>;
  /** Why headers may not be sent, in words; null when they may. */
  refuseHeaders: (headers: Header[]) => string | null;
  /** Whether the operator supplies a list of the hosts of ads. */
  hasAdList: boolean;
};

export type Header = [name: string, value: string];
