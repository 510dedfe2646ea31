// The pages to capture, served from their own thread so that serving them doesn't block the measured event loop.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import sharp from "sharp";

const lorem =
  "Watching a page means to look again and to notice what became different since the last time. ".repeat(2);

/** 1.5 MB of HTML, 3,300 elements, 30 pictures, a script that changes the page; about 8,000 px high. */
function heavyPage(): string {
  const cards = Array.from({ length: 30 }, (_, card) => {
    const cells = Array.from(
      { length: 100 },
      (_, cell) =>
        `<span class="cell cell-${cell % 7} tone-${card % 5}" data-track="card=${card}&amp;cell=${cell}&amp;origin=list">${card}.${cell}</span>`,
    ).join("");
    return `<section class="card"><h2>Item ${card}</h2><img src="/picture-${card}.png" width="400" height="150" alt=""><p>${lorem}</p><p>${lorem}</p><div>${cells}</div></section>`;
  }).join("\n");
  const style = Array.from(
    { length: 1_500 },
    (_, i) => `.rule-${i}>.x{color:#${(i * 4_099).toString(16).slice(-6).padStart(6, "0")}}`,
  ).join("");
  const state = JSON.stringify(
    Array.from({ length: 9_000 }, (_, id) => ({
      id,
      key: createHash("sha1").update(String(id)).digest("hex"),
      name: `entry ${id}`,
      tags: ["a", "b", id % 13],
    })),
  );
  return `<!doctype html><html><head><meta charset="utf-8"><title>Heavy</title><style>body{font-family:sans-serif;margin:20px}.card{height:245px;overflow:hidden}.card img{float:left;margin-right:10px}.cell{display:inline-block;margin:1px;background:linear-gradient(#eee,#cdf)}${style}</style></head><body><h1>Heavy</h1>${cards}<script type="application/json" id="state">${state}</script><script src="/work.js"></script></body></html>`;
}

const smallPage = `<!doctype html><html><head><meta charset="utf-8"><title>Small</title><style>body{font-family:sans-serif;max-width:800px;margin:40px auto}</style></head><body><h1>Small page</h1>${`<p>${lorem}</p>`.repeat(6)}<ul>${"<li><a href='/x'>A link</a></li>".repeat(10)}</ul></body></html>`;

const workJs = `const state=JSON.parse(document.getElementById("state").textContent);const list=document.createElement("ul");for(const entry of state.slice(0,200)){const item=document.createElement("li");item.textContent=entry.name;item.style.display="inline";list.append(item)}document.body.append(list);`;

const textBody = Buffer.from(smallPage.repeat(30).slice(0, 20_480));

async function serve(): Promise<void> {
  const heavy = Buffer.from(heavyPage());
  const noise = {
    create: {
      width: 400,
      height: 150,
      channels: 3 as const,
      background: "#888",
      noise: { type: "gaussian" as const, mean: 128, sigma: 40 },
    },
  };
  const picture = await sharp(noise).png().toBuffer();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const send = (type: string, body: Buffer | string, headers = {}) => {
      response.writeHead(200, {
        "content-type": type,
        "content-length": Buffer.byteLength(body),
        ...headers,
      });
      response.end(body);
    };
    if (path.startsWith("/heavy")) send("text/html", heavy);
    else if (path.startsWith("/small")) send("text/html", smallPage);
    else if (path.startsWith("/body")) send("text/plain", textBody, { etag: '"v1"' });
    else if (path === "/work.js") send("text/javascript", workJs);
    else if (path.startsWith("/picture")) send("image/png", picture);
    else response.writeHead(404).end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    parentPort?.postMessage(typeof address === "object" && address ? address.port : 0);
  });
}

if (!isMainThread) await serve();

/** Starts the site; `origin` is where it listens. */
export async function startSite(): Promise<{ origin: string; close(): Promise<number> }> {
  const worker = new Worker(new URL(import.meta.url));
  const port = await new Promise((resolve) => worker.once("message", resolve));
  return { origin: `http://127.0.0.1:${String(port)}`, close: () => worker.terminate() };
}
