import { PassThrough } from "node:stream";
import { keyStands } from "#storage/api-keys.ts";
import type { Database } from "#storage/database.ts";
import { eventChannel, lastEvent, listEvents, watchEvents } from "#storage/events.ts";
import { listen } from "#storage/listen.ts";
import { sessionStands } from "#storage/sessions.ts";

type Listener = { accountId: string } & ({ sessionId: string } | { keyId: string });

export type LiveEvents = {
  /** A server-sent stream of an account's events after `after`, or from now on. */
  open(actor: Listener, after: number | undefined): PassThrough;
  endAll(): void;
  close(): Promise<void>;
};

type Page = { wake: () => void; end: () => void };

const heartbeatMs = 20_000;
// Some browser windows; the oldest makes way for the newest.
const maxOfAccount = 10;

/** Tells open pages of what any process records, heard over the database. */
export function openLiveEvents(
  connectionString: string,
  db: Database,
  onError: (error: Error) => void,
): LiveEvents {
  const pages = new Map<string, Set<Page>>();
  const wakeAll = () => {
    for (const some of pages.values()) for (const page of some) page.wake();
  };
  const listener = listen(connectionString, eventChannel, {
    onMessage: (accountId) => pages.get(accountId)?.forEach((page) => page.wake()),
    onGap: wakeAll,
    onError,
  });
  const endAll = () => {
    for (const some of pages.values()) for (const page of some) page.end();
  };

  return {
    open(actor, after) {
      const { accountId } = actor;
      const stream = new PassThrough();
      const page: Page = { wake: pump(db, accountId, after, stream, onError), end: () => stream.end() };
      const some = pages.get(accountId) ?? new Set();
      const [oldest] = some.size >= maxOfAccount ? some : [];
      oldest?.end();
      if (oldest) some.delete(oldest);
      pages.set(accountId, some.add(page));
      const heartbeat = setInterval(() => {
        void beat(db, actor, stream).catch(onError);
        page.wake();
      }, heartbeatMs);
      stream.on("close", () => {
        clearInterval(heartbeat);
        some.delete(page);
        if (some.size === 0) pages.delete(accountId);
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
  const stands =
    "keyId" in actor
      ? await keyStands(db, actor.keyId, actor.accountId)
      : await sessionStands(db, actor.sessionId, actor.accountId);
  if (!stands) stream.end();
  else if (!stream.writableEnded) stream.write(": here\n\n");
}

/** Sends what is new whenever it is woken, in order and one at a time. */
function pump(
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
      // Some are no longer kept: the page has to read everything anew.
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
