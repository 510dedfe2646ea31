import { belongsTo, type JarCookie, type SessionJar, type StoredOrigin } from "../../session-jar.ts";
import { CdpError } from "../devtools-protocol/cdp-error.ts";
import type { Protocol } from "../devtools-protocol/protocol.ts";
import { readPageScript, type Tab } from "../tab.ts";

const scripts = {
  read: readPageScript("read-storage"),
  restore: readPageScript("restore-storage"),
};
const limits = { pageMs: 3_000, storageMs: 5_000, cookies: 300, origins: 10, length: 1_000_000 };

/** Makes a fresh tab the browser of a session: its cookies, and what its pages stored. */
export async function restoreJar(tab: Tab, jar: SessionJar): Promise<void> {
  const { contextId: browserContextId } = tab;
  const set = (cookies: JarCookie[]) => tab.ask("Storage.setCookies", { browserContextId, cookies });
  if (jar.cookies.length > 0)
    await set(jar.cookies).catch(async (error: unknown) => {
      orIgnore(error);
      // One cookie that the browser refuses makes it refuse all.
      for (const cookie of jar.cookies) await set([cookie]).catch(orIgnore);
    });
  const stored = jar.origins.slice(0, limits.origins);
  await onBlankPages(
    tab,
    stored.map(({ origin }) => origin),
    (origin, world) => {
      const { local, session, databases } = stored.find((each) => each.origin === origin) ?? emptyOrigin;
      return tab.run(world, scripts.restore, { local, session, databases }, limits.storageMs);
    },
  );
}

const emptyOrigin = { local: [], session: [], databases: [] };

/**
 * Reads the session from a tab whose page was captured. What an origin stored is read on a blank page of it, unless the
 * tab shows the origin; an origin that can't be read keeps what it had.
 */
export async function readJar(
  tab: Tab,
  { origins, jar: before }: { origins: readonly string[]; jar: SessionJar },
  shownUrl: string,
): Promise<SessionJar> {
  const { cookies } = await tab.ask("Storage.getCookies", { browserContextId: tab.contextId });
  const stored = new Map(before.origins.map((each) => [each.origin, each]));
  const read = async (origin: string, world: number) => {
    const wanted = { maxLength: limits.length };
    type Stored = Omit<StoredOrigin, "origin">;
    const found = await tab.run<Stored>(world, scripts.read, wanted, limits.storageMs);
    stored.set(origin, { origin, ...found });
  };
  const shown = URL.parse(shownUrl)?.origin ?? "";
  const wanted = origins.slice(0, limits.origins);
  if (wanted.includes(shown)) await read(shown, await tab.openIsolatedWorld()).catch(orIgnore);
  await onBlankPages(
    tab,
    wanted.filter((origin) => origin !== shown),
    read,
  );
  return {
    cookies: cookies
      .filter(({ domain }) => belongsTo(domain, origins))
      .slice(0, limits.cookies)
      .map(toJarCookie),
    origins: [...stored.values()].filter(
      ({ local, session, databases }) => local.length + session.length + databases.length > 0,
    ),
  };
}

function toJarCookie(cookie: Protocol.Network.Cookie): JarCookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite } = cookie;
  return {
    name,
    value,
    domain,
    path,
    ...(expires > 0 && { expires }),
    httpOnly,
    secure,
    ...(sameSite && { sameSite }),
  };
}

/** Opens an empty page of each origin, for which nothing is requested. */
async function onBlankPages(
  tab: Tab,
  origins: string[],
  use: (origin: string, world: number) => Promise<void>,
): Promise<void> {
  if (origins.length === 0) return;
  let loaded = () => {};
  const stop = tab.listen((event) => {
    if (event.method === "Page.loadEventFired") loaded();
    if (event.method !== "Fetch.requestPaused") return;
    const { requestId } = event.params;
    const responseHeaders = [{ name: "content-type", value: "text/html" }];
    tab.send("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders }).catch(() => {});
  });
  try {
    await tab.send("Page.enable");
    const patterns = origins.map((origin) => ({
      urlPattern: `${origin}/`,
      resourceType: "Document" as const,
      requestStage: "Request" as const,
    }));
    await tab.send("Fetch.enable", { patterns });
    for (const origin of origins) {
      const load = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limits.pageMs);
        loaded = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      try {
        await tab.send("Page.navigate", { url: `${origin}/` });
        await load;
        await use(origin, await tab.openIsolatedWorld());
      } catch (error) {
        orIgnore(error);
      }
    }
    await tab.send("Fetch.disable");
  } finally {
    stop();
  }
}

/** A site may break its own pages and storage; only a browser that is gone ends the capture. */
function orIgnore(error: unknown): void {
  if (error instanceof CdpError && error.kind !== "gone") return;
  throw error;
}
