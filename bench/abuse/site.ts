import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const page = (body: string) => `<!doctype html><title>Page</title><main><h1>Page</h1>${body}</main>`;

const opinion = { class: "routine", blocks: [], sentence: "" };

/** Answers at once as a language model would, and as any receiver of a trigger. */
function answerAsModel(response: ServerResponse): void {
  const choices = [{ message: { role: "assistant", content: JSON.stringify(opinion) } }];
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices }));
}

/** Serves from its own thread, so that its cost doesn't count as the product's. */
async function serve(): Promise<void> {
  let requests = 0;
  // The victim's pages don't count as an attack's.
  let attackRequests = 0;
  parentPort?.on("message", () => parentPort?.postMessage(attackRequests));
  // Both captures of a check see the same page and the next check sees another one: each change is confirmed, and any
  // two of three consecutive checks differ.
  let captures = 0;
  const alternate = (texts: string[]) => texts[Math.floor(captures++ / 2) % texts.length] ?? "";
  const wall = page(`<p>x</p><script>/*${"/cdn-cgi/challenge-platform/".repeat(300_000)}*/</script>`);
  const large = ["one ", "two ", "three "].map((word) => word.repeat(2_000_000));
  // Within what a capture may have: a check of the large one fails at its third text.
  const long = ["one ", "two ", "three "].map((word) => word.repeat(1_600_000));
  const fields = page(
    `<form></form><script>for(let i=0;i<90;i++){const e=document.createElement("input");e.name="x".repeat(3e6);document.forms[0].append(e)}</script>`,
  );
  // Deep enough that a selector of twenty steps tries every chain of ancestors of each word and matches none.
  const deep = `${"<div>".repeat(15)}${"<i>word</i>".repeat(2_000)}${"</div>".repeat(15)}`;
  const burn = "for(const t=Date.now();Date.now()-t<20_000;);";
  const burnSoon = `setTimeout(()=>{${burn}},100)`;
  const burnInWorkers = `for(let i=0;i<3;i++)new Worker(URL.createObjectURL(new Blob([${JSON.stringify(burn)}])))`;
  const articles = ["one", "two", "three"].map((word) =>
    page(
      Array.from(
        { length: 2_000 },
        (_, n) => `<p class="a${n}">Paragraph ${n} of a long article, ${word}.<b>B</b></p>`,
      ).join(""),
    ),
  );
  const records = ["a", "b", "c"].map((letter) => JSON.stringify(Array(400_000).fill({ letter, count: 1 })));
  const nodes = page("<b></b>".repeat(300_000));
  let counted = 0;
  const pages: Record<string, () => string> = {
    "/counter": () => page(`<p>Counted ${counted} so far.</p>`),
    "/count": () => String(++counted),
    "/long.txt": () => alternate(long),
    "/data.json": () => alternate(records),
    "/nodes": () => nodes,
    "/tall": () => page(`<div style="height:30000px;background:linear-gradient(red,blue)">${requests}</div>`),
    "/busy": () => page("<p id=p></p><script>setInterval(()=>p.textContent+=Math.random(),5)</script>"),
    "/calm": () => page("<p>Nothing happens here.</p>"),
    "/deep": () => page(`<p>${requests}</p>${deep}`),
    "/burn": () => page(`<p>Burns.</p><script>${burnSoon}</script>`),
    "/burn-workers": () => page(`<p>Burns.</p><script>${burnInWorkers};${burnSoon}</script>`),
    "/wall": () => wall,
    "/fields": () => fields,
    "/names": () =>
      page(
        Array.from({ length: 400 }, (_, i) => `<img src="http://dead-${i}.invalid-${requests}.test/x">`).join(
          "",
        ),
      ),
    "/article": () => alternate(articles),
    "/large.txt": () => alternate(large),
  };
  const server = createServer((request, response) => {
    requests++;
    const path = (request.url ?? "/").replace(/\?.*/, "");
    if (!/^\/(calm|count)/.test(path)) attackRequests++;
    const status = path === "/wall" ? 403 : 200;
    const type = { txt: "text/plain", json: "application/json" }[path.split(".")[1] ?? ""] ?? "text/html";
    const headers = { "content-type": `${type}; charset=utf-8`, etag: `"${requests}"` };
    if (request.method === "POST") return answerAsModel(response);
    const send = () => response.writeHead(status, headers).end(pages[path]?.() ?? page("<p>Slow.</p>"));
    if (path === "/slow") setTimeout(send, 25_000);
    else if (path === "/around") response.writeHead(302, { location: `/around?${requests}` }).end();
    else if (path === "/stream") {
      response.writeHead(200, headers).write(page(""));
      const timer = setInterval(() => response.write("<p>More</p>"), 100);
      response.on("close", () => clearInterval(timer));
    } else send();
  });
  await once(server.listen(0, "0.0.0.0"), "listening");
  parentPort?.postMessage((server.address() as AddressInfo).port);
}

if (!isMainThread) await serve();

/** Serves pages as an attacker writes them, and harmless ones. */
export async function startSite() {
  const thread = new Worker(new URL(import.meta.url));
  const [port] = (await once(thread, "message")) as [number];
  return {
    /** Accounts watch different hosts, so that none waits for a host that another one keeps busy. */
    origin: (host: number) => `http://127.0.0.${host}:${port}`,
    /** How many requests there have been for pages other than the victim's. */
    async attackRequests() {
      thread.postMessage("count");
      const [count] = (await once(thread, "message")) as [number];
      return count;
    },
    close: () => thread.terminate(),
  };
}
