import pg from "pg";

export type Listener = { close(): Promise<void> };

/** Hears a channel for as long as it is open; `onGap` is called whenever something may have been missed. */
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
    next.on("end", again);
    next.on("notification", (message) => handlers.onMessage(message.payload ?? ""));
    await next.connect();
    await next.query(`listen ${channel}`);
    handlers.onGap();
  };
  const again = () => {
    if (closed || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      connect().catch((error: Error) => {
        handlers.onError(error);
        again();
      });
    }, 500);
  };
  connect().catch((error: Error) => {
    handlers.onError(error);
    again();
  });
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
