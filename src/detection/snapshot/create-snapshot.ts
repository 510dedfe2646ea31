import type { ContentKind, Snapshot } from "./snapshot.ts";

/** Creates a snapshot of which only the content is known, for example a file's. */
export function snapshotOf(content: string, kind: ContentKind, url: string): Snapshot {
  return {
    url,
    finalUrl: url,
    redirects: [],
    status: 200,
    headers: [],
    protocol: "",
    tls: null,
    timing: {},
    contentType: "",
    kind,
    body: new TextEncoder().encode(content),
    html: content,
    text: [],
    title: "",
    links: [],
    forms: [],
    scripts: [],
    thirdPartyHosts: [],
    cookies: [],
    consoleErrors: [],
    picture: null,
    truncated: false,
    blocked: [],
    via: "http",
  };
}
