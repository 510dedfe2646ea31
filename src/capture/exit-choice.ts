import type { Exit, ExitProblem } from "#network/exit.ts";

/** One of the ways that a job may take: an exit, our own connection, or an exit that can't be used. */
export type ExitChoice = { id: string; name: string; exit?: Exit; problem?: ExitProblem };

/** How an exit did when a page was captured; `problem` is null if it connected us. */
export type ExitUse = { id: string; name: string; problem: ExitProblem | null; ms: number | null };

/** What is wrong with an exit, to follow its name. */
export const exitProblems: Record<ExitProblem, string> = {
  dns: "its name does not lead to a public address",
  guard: "its address may not be used: only public addresses are allowed",
  refused: "it refused or dropped the connection",
  timeout: "it took too long to answer",
  unanswered: "it accepted our connection but didn’t say whether it reaches the site",
  tls: "its certificate or encryption is not valid",
  protocol: "it did not answer as a proxy does",
  credentials: "it did not accept the username and password",
  denied: "it does not allow connections to this site",
  missing: "it does not exist any more",
};

/** Why none of the exits connected us, in a sentence. */
export function describeExits(uses: ExitUse[]): string {
  const each = uses.map(({ name, problem }) => `“${name}”: ${exitProblems[problem ?? "refused"]}`);
  return uses.length === 1 ? `The exit is down. ${each.join()}.` : `All exits are down. ${each.join("; ")}.`;
}

/** Says which exit was used although it isn't the first; null if the first was. */
export function describeFallback(uses: ExitUse[] = []): string | null {
  const used = uses.at(-1);
  const [first] = uses;
  if (!used || !first || used.problem !== null || used === first) return null;
  return `Captured through the exit “${used.name}”, because “${first.name}” is down: ${exitProblems[first.problem ?? "refused"]}`;
}
