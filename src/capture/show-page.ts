import { type LiveEvents, LivePage } from "./browser/live/live-page.ts";
import { restoreJar } from "./browser/session/jar-in-browser.ts";
import type { BrowserPool } from "./browser-pool.ts";
import { failure } from "./failures/failures.ts";
import type { SessionJar } from "./session-jar.ts";

export { CdpError } from "./browser/devtools-protocol/cdp-error.ts";
export type { LiveEvents, LivePage };

/**
 * Shows a page to somebody who operates it, until `use` ends. The page has a browser of its own, and every address it
 * asks for passes the same guard as at checks.
 */
export function showPage(
  pool: BrowserPool,
  { url, jar }: { url: string; jar: SessionJar | null },
  events: LiveEvents,
  use: (page: LivePage) => Promise<void>,
): Promise<void> {
  return pool.withTab(async (tab, tunnel) => {
    const onUrl = (at: string) => {
      events.onUrl(at);
      const origin = URL.parse(at)?.origin;
      const isRefused = tunnel.blocked.some((each) => URL.parse(each.url)?.origin === origin);
      if (isRefused) events.onNotice(failure("guard").message);
    };
    if (jar) await restoreJar(tab, jar);
    const page = new LivePage(tab, { ...events, onUrl });
    try {
      await page.open(url);
      await use(page);
    } finally {
      page.stop();
    }
  }, true);
}
