// Runs inside the browser's network namespace before the browser does: opens the loopback ports that will be its only
// way out and hands the sockets to the worker outside. A socket stays in the namespace it was made in.
import { once } from "node:events";
// oxlint-disable-next-line no-restricted-imports -- it listens, and dials nobody
import { createServer } from "node:net";

const [first = "0", count = "0"] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++) {
  const server = createServer();
  server.listen({ host: "127.0.0.1", port: Number(first) + i });
  await once(server, "listening");
  await new Promise<void>((resolve, reject) => {
    process.send?.({ port: Number(first) + i }, server, {}, (error) => (error ? reject(error) : resolve()));
  });
}
process.exit(0);
