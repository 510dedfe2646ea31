/** A proxy through which pages are captured. Its address is the user's, so the guard judges it like any other. */
export type PageProxy = {
  protocol: "http" | "https" | "socks5";
  /** A name or an address, without brackets. */
  host: string;
  port: number;
  credentials?: { username: string; password: string } | undefined;
  /** The proxy looks up the names of sites itself, where the operator allows that. */
  looksUpNames: boolean;
};

/** Why a proxy didn't connect us. A site that the proxy can't reach isn't a problem of the proxy. */
export type ProxyProblem =
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

/** The proxy as a URL, so that the same rules apply to it as to a page. */
export function proxyUrl({ protocol, host, port }: Pick<PageProxy, "protocol" | "host" | "port">): string {
  const scheme = protocol === "https" ? "https" : "http";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}
