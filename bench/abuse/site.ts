import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const page = (body: string) => `<!doctype html><title>Page</title><main><h1>Page</h1>${body}</main>`;

/** Serves from a thread of its own, so that what it costs is not taken for what the product costs. */
async function serve(): Promise<void> {
  let turn = 0;
  // The two looks of a check show the same, the next check another: so each change holds, and any two differ.
  let looks = 0;
  const wall = page(`<p>x</p><script>/*${"/cdn-cgi/challenge-platform/".repeat(300_000)}*/</script>`);
  const large = ["one ", "two ", "three "].map((word) => word.repeat(2_000_000));
  const fields = page(
    `<form></form><script>for(let i=0;i<90;i++){const e=document.createElement("input");e.name="x".repeat(3e6);document.forms[0].append(e)}</script>`,
  );
  // As deep as a selector of twenty steps needs it to try every way up from each of the words, and to find none.
  const deep = `${"<div>".repeat(15)}${"<i>word</i>".repeat(2_000)}${"</div>".repeat(15)}`;
  const burn = "for(const t=Date.now();Date.now()-t<20_000;);";
  const burnSoon = `setTimeout(()=>{${burn}},100)`;
  const burnInWorkers = `for(let i=0;i<3;i++)new Worker(URL.createObjectURL(new Blob([${JSON.stringify(burn)}])))`;
  const pages: Record<string, () => string> = {
    "/calm": () => page("<p>Nothing happens here.</p>"),
    "/deep": () => page(`<p>${turn}</p>${deep}`),
    "/burn": () => page(`<p>Burns.</p><script>${burnSoon}</script>`),
    "/burn-workers": () => page(`<p>Burns.</p><script>${burnInWorkers};${burnSoon}</script>`),
    "/wall": () => wall,
    "/fields": () => fields,
    "/names": () =>
      page(
        Array.from({ length: 400 }, (_, i) => `<img src="http://dead-${i}.invalid-${turn}.test/x">`).join(""),
      ),
    "/large.txt": () => large[Math.floor(looks++ / 2) % 3] ?? "",
  };
  const server = createServer((request, response) => {
    turn++;
    const path = (request.url ?? "/").replace(/\?.*/, "");
    const status = path === "/wall" ? 403 : 200;
    const type = path.endsWith(".txt") ? "text/plain" : "text/html";
    const headers = { "content-type": `${type}; charset=utf-8`, etag: `"${turn}"` };
    const send = () => response.writeHead(status, headers).end(pages[path]?.() ?? page("<p>Slow.</p>"));
    if (path === "/slow") setTimeout(send, 25_000);
    else send();
  });
  await once(server.listen(0, "0.0.0.0"), "listening");
  parentPort?.postMessage((server.address() as AddressInfo).port);
}

if (!isMainThread) await serve();

/** Pages as an attacker writes them, and one that nobody minds. */
export async function startSite() {
  const thread = new Worker(new URL(import.meta.url));
  const [port] = (await once(thread, "message")) as [number];
  return {
    /** Of the hosts that each watches, so that nobody waits for a host that another keeps busy. */
    origin: (host: number) => `http://127.0.0.${host}:${port}`,
    close: () => thread.terminate(),
  };
}
