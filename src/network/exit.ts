/** A proxy through which pages are captured. Its address is the user's, so the guard judges it like any other. */
export type Exit = {
  protocol: "http" | "https" | "socks5";
  /** A name or an address, without brackets. */
  host: string;
  port: number;
  credentials?: { username: string; password: string } | undefined;
  /** The exit looks up the names of sites itself, where the operator allows that. */
  looksUpNames: boolean;
};

/** Why an exit didn't connect us. A site that the exit can't reach isn't a problem of the exit. */
export type ExitProblem =
  | "dns"
  | "guard"
  | "refused"
  | "timeout"
  | "unanswered"
  | "tls"
  | "protocol"
  | "credentials"
  | "denied"
  | "missing";

/**
 * Problems that the requested site can cause too. A shared exit isn't down for everybody because one account requests a
 * site that it forbids or doesn't reach.
 */
export const problemsOfOneSite: readonly ExitProblem[] = ["denied", "unanswered"];

/** The exit as a URL, so that the same rules apply to it as to a page. */
export function exitUrl({ protocol, host, port }: Pick<Exit, "protocol" | "host" | "port">): string {
  const scheme = protocol === "https" ? "https" : "http";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}
