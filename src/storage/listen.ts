import pg from "pg";

export type Listener = { close(): Promise<void> };

/** Listens to a PostgreSQL channel until it is closed; `onGap` is called whenever messages may have been missed. */
export function listen(
  connectionString: string,
  channel: string,
  handlers: { onMessage: (payload: string) => void; onGap: () => void; onError: (error: Error) => void },
): Listener {
  let closed = false;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new pg.Client({ connectionString, application_name: "watchglass-events", keepAlive: true });
    client = next;
    next.on("error", handlers.onError);
    next.on("end", reconnect);
    next.on("notification", (message) => handlers.onMessage(message.payload ?? ""));
    await next.connect();
    await next.query(`listen ${channel}`);
    handlers.onGap();
  };
  const reconnect = () => {
    if (closed || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      connect().catch((error: Error) => {
        handlers.onError(error);
        reconnect();
      });
    }, 500);
  };
  connect().catch((error: Error) => {
    handlers.onError(error);
    reconnect();
  });
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
