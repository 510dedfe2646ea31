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
  const inTurn = (texts: string[]) => texts[Math.floor(looks++ / 2) % texts.length] ?? "";
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
  const records = ["a", "b", "c"].map((letter) => JSON.stringify(Array(400_000).fill({ letter, count: 1 })));
  const nodes = page("<b></b>".repeat(300_000));
  let counted = 0;
  const pages: Record<string, () => string> = {
    "/counter": () => page(`<p>Counted ${counted} so far.</p>`),
    "/count": () => String(++counted),
    "/data.json": () => inTurn(records),
    "/nodes": () => nodes,
    "/tall": () => page(`<div style="height:30000px;background:linear-gradient(red,blue)">${turn}</div>`),
    "/busy": () => page("<p id=p></p><script>setInterval(()=>p.textContent+=Math.random(),5)</script>"),
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
    "/large.txt": () => inTurn(large),
  };
  const server = createServer((request, response) => {
    turn++;
    const path = (request.url ?? "/").replace(/\?.*/, "");
    const status = path === "/wall" ? 403 : 200;
    const type = { txt: "text/plain", json: "application/json" }[path.split(".")[1] ?? ""] ?? "text/html";
    const headers = { "content-type": `${type}; charset=utf-8`, etag: `"${turn}"` };
    const send = () => response.writeHead(status, headers).end(pages[path]?.() ?? page("<p>Slow.</p>"));
    if (path === "/slow") setTimeout(send, 25_000);
    else if (path === "/around") response.writeHead(302, { location: `/around?${turn}` }).end();
    else if (path === "/stream") {
      response.writeHead(200, headers).write(page(""));
      const writing = setInterval(() => response.write("<p>More</p>"), 100);
      response.on("close", () => clearInterval(writing));
    } else send();
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
