import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

const cancelAndTls = [80877102, 80877103];

/**
 * A connection pooler in front of a PostgreSQL that is reached by a socket without password. As PgBouncer does, it lends
 * a server connection to a client for one transaction or for the whole session, the one that was used last first.
 */
export async function startPooler(postgres: string, mode: "transaction" | "session") {
  const url = new URL(postgres.replace("@/", "@socket/"));
  const path = `${url.searchParams.get("host")}/.s.PGSQL.5432`;
  const idle: Socket[] = [];
  const sockets = new Set<Socket>();

  async function openServer(): Promise<Socket> {
    const server = connect(path);
    sockets.add(server.on("error", () => undefined));
    const names = `user\0${url.username}\0database\0${url.pathname.slice(1)}\0\0`;
    const head = Buffer.alloc(8);
    head.writeInt32BE(8 + names.length);
    head.writeInt32BE(196608, 4);
    server.write(Buffer.concat([head, Buffer.from(names)]));
    const isReady = Promise.withResolvers<void>();
    const stop = readMessages(server, (type) => type === "Z" && isReady.resolve());
    await isReady.promise;
    stop();
    return server;
  }

  function serve(client: Socket): void {
    sockets.add(client.on("error", () => undefined));
    let lent: { server: Socket; stop: () => void } | undefined;
    let work = Promise.resolve();
    const release = () => {
      if (!lent) return;
      lent.stop();
      idle.push(lent.server);
      lent = undefined;
    };
    const lend = async () => {
      const server = idle.pop() ?? (await openServer());
      const stop = readMessages(server, (type, message) => {
        client.write(message);
        if (mode === "transaction" && type === "Z" && message.at(-1) === "I".charCodeAt(0)) release();
      });
      lent = { server, stop };
      return lent;
    };
    client.on("close", () => {
      if (mode === "session") release();
    });
    client.once("data", (startup: Buffer) => {
      if (cancelAndTls.includes(startup.readInt32BE(4))) return client.destroy();
      const authenticated = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);
      client.write(authenticated);
      readMessages(client, (type, message) => {
        if (type === "X") return void client.end();
        work = work.then(async () => void (lent ?? (await lend())).server.write(message));
      });
    });
  }

  const listener = createServer(serve).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  return {
    url: `postgres://${url.username}@127.0.0.1:${port}${url.pathname}`,
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

/** Calls back with each message of PostgreSQL's protocol: a type, a length, and what follows. */
function readMessages(socket: Socket, use: (type: string, message: Buffer) => unknown): () => void {
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let end = 0; bytes.length >= 5 && bytes.length >= (end = bytes.readInt32BE(1) + 1); ) {
      const message = bytes.subarray(0, end);
      bytes = bytes.subarray(end);
      use(String.fromCharCode(message[0] ?? 0), message);
    }
  };
  socket.on("data", onData);
  return () => void socket.off("data", onData);
}
