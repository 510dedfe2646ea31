import { once } from "node:events";
import { createServer } from "node:http";

const page = (body: string) => `<!doctype html><title>Page</title><main><h1>Page</h1>${body}</main>`;

/** Pages as an attacker writes them, and one that nobody minds. */
export async function startSite() {
  let turn = 0;
  const pages: Record<string, () => string> = {
    "/calm": () => page("<p>Nothing happens here.</p>"),
    "/wall": () => page(`<p>x</p><script>/*${"/cdn-cgi/challenge-platform/".repeat(300_000)}*/</script>`),
    "/fields": () =>
      page(
        `<form></form><script>for(let i=0;i<90;i++){const e=document.createElement("input");e.name="x".repeat(3e6);document.forms[0].append(e)}</script>`,
      ),
    "/names": () =>
      page(
        Array.from({ length: 400 }, (_, i) => `<img src="http://dead-${i}.invalid-${turn}.test/x">`).join(""),
      ),
    "/large": () => page(`<p>${`${["one", "two", "three"][turn % 3]} `.repeat(2_000_000)}</p>`),
  };
  const server = createServer((request, response) => {
    turn++;
    const path = (request.url ?? "/").replace(/\?.*/, "");
    const status = path === "/wall" ? 403 : 200;
    const headers = { "content-type": "text/html; charset=utf-8", etag: `"${turn}"` };
    const send = () => response.writeHead(status, headers).end(pages[path]?.() ?? page("<p>Slow.</p>"));
    if (path === "/slow") setTimeout(send, 25_000);
    else send();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
