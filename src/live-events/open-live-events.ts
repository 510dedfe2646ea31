import { PassThrough } from "node:stream";
import { isApiKeyValid } from "#storage/api-keys.ts";
import type { Database } from "#storage/database.ts";
import { listen } from "#storage/listen.ts";
import { isSessionValid } from "#storage/sessions.ts";
import { eventChannel, lastEvent, listEvents, watchEvents } from "./events.ts";

type Listener = { accountId: string } & ({ sessionId: string } | { keyId: string });

export type LiveEvents = {
  /** Opens a server-sent stream of an account's events after the number `after`, or from now on. */
  open(actor: Listener, after: number | undefined): PassThrough;
  endAll(): void;
  close(): Promise<void>;
};

type Page = { wake: () => void; end: () => void };

const heartbeatMs = 20_000;
// Enough for several browser windows; beyond that, the newest stream replaces the oldest.
const maxPerAccount = 10;

/** Sends open pages the events that any process records; the database notifies us of them. */
export function openLiveEvents(
  connectionString: string,
  db: Database,
  onError: (error: Error) => void,
): LiveEvents {
  const pages = new Map<string, Set<Page>>();
  const wakeAll = () => {
    for (const accountPages of pages.values()) for (const page of accountPages) page.wake();
  };
  const listener = listen(connectionString, eventChannel, {
    onMessage: (accountId) => pages.get(accountId)?.forEach((page) => page.wake()),
    onGap: wakeAll,
    onError,
  });
  const endAll = () => {
    for (const accountPages of pages.values()) for (const page of accountPages) page.end();
  };

  return {
    open(actor, after) {
      const { accountId } = actor;
      const stream = new PassThrough();
      const page: Page = { wake: openSender(db, accountId, after, stream, onError), end: () => stream.end() };
      const accountPages = pages.get(accountId) ?? new Set();
      const [oldest] = accountPages.size >= maxPerAccount ? accountPages : [];
      oldest?.end();
      if (oldest) accountPages.delete(oldest);
      pages.set(accountId, accountPages.add(page));
      const heartbeat = setInterval(() => {
        void beat(db, actor, stream).catch(onError);
        page.wake();
      }, heartbeatMs);
      stream.on("close", () => {
        clearInterval(heartbeat);
        accountPages.delete(page);
        if (accountPages.size === 0) pages.delete(accountId);
      });
      stream.write("retry: 2000\n\n");
      page.wake();
      return stream;
    },
    endAll,
    async close() {
      endAll();
      await listener.close();
    },
  };
}

/** A stream ends with the session or key it was opened by. */
async function beat(db: Database, actor: Listener, stream: PassThrough): Promise<void> {
  const isValid =
    "keyId" in actor
      ? await isApiKeyValid(db, actor.keyId, actor.accountId)
      : await isSessionValid(db, actor.sessionId, actor.accountId);
  if (!isValid) stream.end();
  else if (!stream.writableEnded) stream.write(": here\n\n");
}

/** Returns a function that sends the new events, in order and never twice at once. */
function openSender(
  db: Database,
  accountId: string,
  after: number | undefined,
  stream: PassThrough,
  onError: (error: Error) => void,
) {
  let sent = after;
  let wanted = false;
  let running = false;
  let watchedAt = 0;

  const send = async () => {
    if (Date.now() - watchedAt > 10 * 60_000) {
      await watchEvents(db, accountId);
      watchedAt = Date.now();
    }
    if (sent === undefined) {
      sent = await lastEvent(db, accountId);
      write(stream, sent, { kind: "ready" });
    }
    const events = await listEvents(db, accountId, sent);
    if (!events) {
      // Some events are no longer stored, so the page has to read everything again.
      sent = await lastEvent(db, accountId);
      write(stream, sent, { kind: "reset" });
    }
    for (const { number, kind, data } of events ?? []) {
      write(stream, number, { kind, ...data });
      sent = number;
    }
  };
  return () => {
    wanted = true;
    if (running) return;
    running = true;
    void (async () => {
      while (wanted && !stream.writableEnded) {
        wanted = false;
        await send().catch(onError);
      }
      running = false;
    })();
  };
}

function write(stream: PassThrough, id: number, data: object): void {
  if (!stream.writableEnded) stream.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
}
