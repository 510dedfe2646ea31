import { readFileSync, statSync } from "node:fs";
import { getDomain } from "tldts";

/** The hosts of a list of ads, which its operator supplies. */
export type AdHosts = {
  /** Whether a page of one host shouldn't load from another one: it is listed, and not of the page's own site. */
  blocks: (host: string, pageHost: string) => boolean;
};

const maxBytes = 16 * 1024 * 1024;
/** More than the large public lists have. */
const maxHosts = 500_000;

const name = /[a-z0-9_][a-z0-9_.-]{0,240}\.[a-z0-9-]{2,63}/;
const hostsLine = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+(\S.*)$/;
const ruleLine = new RegExp(`^(@@)?\\|\\|(${name.source})\\^(?:\\$(?:third-party|important))?$`);
const onlyName = new RegExp(`^${name.source}$`);

/** Reads a list from a file; throws a sentence that continues the name of the file's variable. */
export function readAdHosts(path: string): AdHosts {
  let text: string;
  try {
    if (statSync(path).size > maxBytes) throw new RangeError("is larger than 16 MiB");
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Error(
      `names a file that can't be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
    );
  }
  return parseAdHosts(text);
}

/** Reads lines of a hosts file, bare names, and rules like `||ads.example^`; other rules of ad blockers are left out. */
export function parseAdHosts(text: string, maximum = maxHosts): AdHosts {
  const [listed, excepted] = [new Set<string>(), new Set<string>()];
  for (const line of text.toLowerCase().split(/\r?\n/)) {
    const bare = (line.split(/(?:^|\s)#/, 1)[0] ?? "").trim();
    if (bare === "" || bare.length > 1_000) continue;
    const rule = ruleLine.exec(bare);
    if (rule) (rule[1] ? excepted : listed).add(rule[2] ?? "");
    else
      for (const each of (hostsLine.exec(bare)?.[1] ?? bare).split(/\s+/))
        if (onlyName.test(each)) listed.add(each);
        else break;
    if (listed.size > maximum) throw new Error(`lists more than ${maximum.toLocaleString("en")} hosts`);
  }
  if (listed.size === 0)
    throw new Error(
      "lists no host: it needs lines like “ads.example”, “0.0.0.0 ads.example” or “||ads.example^”",
    );
  const isListed = (host: string): boolean => {
    for (let each = host; each.includes("."); each = each.slice(each.indexOf(".") + 1)) {
      if (excepted.has(each)) return false;
      if (listed.has(each)) return true;
    }
    return false;
  };
  return { blocks: (host, pageHost) => isListed(host) && siteOf(host) !== siteOf(pageHost) };
}

const siteOf = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host;
