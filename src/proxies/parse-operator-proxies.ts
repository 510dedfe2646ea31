import type { PageProxy } from "#network/proxy.ts";
import type { OperatorProxy } from "./set-operator-proxies.ts";

const protocols: Record<string, Pick<PageProxy, "protocol" | "looksUpNames"> & { port: number }> = {
  "http:": { protocol: "http", looksUpNames: false, port: 80 },
  "https:": { protocol: "https", looksUpNames: false, port: 443 },
  "socks5:": { protocol: "socks5", looksUpNames: false, port: 1080 },
  // As curl spells a proxy that looks up names itself.
  "socks5h:": { protocol: "socks5", looksUpNames: true, port: 1080 },
};

/** Reads the operator's proxies: entries such as `Berlin=socks5://user:password@host:1080`, separated by commas. */
export function parseOperatorProxies(text: string): OperatorProxy[] {
  const proxies = text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(parseEntry);
  const names = proxies.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`names ${twice} twice`);
  return proxies;
}

function parseEntry(entry: string): OperatorProxy {
  const [, name = "", address = ""] = /^([^=]{1,60})=(.*)$/s.exec(entry) ?? [];
  const url = URL.parse(address);
  const kind = url && protocols[url.protocol];
  // The entry may hold a password, so that only its name is shown.
  if (!kind || !url.hostname || name.trim() === "")
    throw new Error(
      `must have entries like name=socks5://user:password@host:1080 (${name.trim() || "no name"})`,
    );
  const [username, password] = [url.username, url.password].map(decodeURIComponent) as [string, string];
  const { protocol, looksUpNames, port } = kind;
  return {
    name: name.trim(),
    protocol,
    looksUpNames,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? port : Number(url.port),
    credentials: username ? { username, password } : undefined,
  };
}
