// Test pages on loopback: hostile ones that attack or hang the browser, and calm ones that move or load late.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  constants,
  createSecureServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { createRequire } from "node:module";
import type { Server as NetServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import sharp from "sharp";
import { call, readPageScript } from "../browser/tab.ts";

export type Zoo = {
  origin: string;
  /** For EGRESS_ALLOW: the zoo's own addresses, without the canary's. */
  allow: string;
  canary: { origin: string; hits: string[] };
  /** Requests that the zoo received, with their headers. */
  seen: { path: string; headers: IncomingMessage["headers"] }[];
  /** Pages that a test serves, by path. */
  given: Map<string, string>;
  /** The address of a second site that may be reached, as a third party. */
  other: string;
  /** The zoo by HTTPS, with a certificate that is trusted only where a test adds its authority. */
  secure: string;
  /** Another site with that certificate, by HTTP/2. */
  http2: string;
  video: Buffer;
  /** Whether /members redirects visitors to the login. */
  walled: boolean;
  closeOther(): Promise<void>;
  close(): Promise<void>;
};

type Page = (zoo: Zoo, response: ServerResponse, path: string) => string | undefined;

const doc = (body: string, head = "") =>
  `<!doctype html><html><head><meta charset="utf-8"><title>Zoo</title>${head}</head><body>${body}</body></html>`;
const script = (code: string) => doc(`<main><h1>Still here</h1></main><script>${code}</script>`);

/** Responds with the request it got: as JSON, or as a page whose script sends one more request. */
async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const { method = "", url = "", headers } = request;
  const type = headers["content-type"] ?? "";
  if (url === "/echo-json") {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ method, body, type }));
  } else if (url === "/echo-again") {
    response.setHeader("content-type", "text/plain").end(`then ${method} ${headers["user-agent"]}`);
  } else {
    const lines = [`${method} ${body}`, type, headers["user-agent"] ?? "", headers["accept-language"] ?? ""];
    const say = "navigator.userAgent+' '+navigator.language+' '+navigator.languages";
    const code = `fetch("/echo-again").then(a=>a.text()).then(t=>document.querySelector("i").textContent=t+', '+${say})`;
    response.setHeader("content-type", "text/html");
    response.end(
      doc(`${lines.map((line) => `<p>${line}</p>`).join("")}<p><i></i></p><script>${code}</script>`),
    );
  }
}

const hostile: Record<string, Page> = {
  "/call-out": ({ canary }) => {
    const [, tcp = "0"] = /:(\d+)$/.exec(canary.origin) ?? [];
    return script(call(readPageScript("attack"), { tcp: Number(tcp), udp: Number(tcp), waitMs: 300 }));
  },
  "/redirect-loop": (_zoo, response, path) => {
    response.writeHead(302, { location: `/redirect-loop?${path.length}${path.slice(-400)}x` });
    return undefined;
  },
  "/redirect-inside": ({ canary }, response) => {
    response.writeHead(302, { location: `${canary.origin}/secret` });
    return undefined;
  },
  "/go-inside": ({ canary }) => script(`location.href=${JSON.stringify(`${canary.origin}/secret`)}`),
  "/go-elsewhere": () =>
    script(`for (const url of ["file:///etc/passwd","chrome://crash","chrome://settings","data:text/html,x","mailto:a@b.c","view-source:http://a/"]) {
      try { location.href = url } catch {} try { window.open(url) } catch {}
      const frame = document.createElement("iframe"); frame.src = url; document.body.append(frame);
    }`),
  "/dialogs": () => script(`alert(1);confirm(2);prompt(3);onbeforeunload=()=>"stay";`),
  "/popups": () =>
    script(`for (let i=0;i<20;i++) window.open("/calm?popup="+i,"_blank","noopener");
      const a=document.createElement("a");a.href="/calm?popup=link";a.target="_blank";a.rel="noopener";document.body.append(a);a.click()`),
  "/downloads": () =>
    script(`const a=document.createElement("a");a.href="/attachment";a.download="x.bin";document.body.append(a);a.click();
      const b=document.createElement("a");b.href=URL.createObjectURL(new Blob(["x".repeat(1e6)]));b.download="y.bin";b.click()`),
  "/attachment": (_zoo, response) => {
    response.setHeader("content-disposition", "attachment; filename=x.bin");
    response.setHeader("content-type", "application/octet-stream");
    return "\x00\x01\x02 binary";
  },
  "/print": () => script("print();setInterval(print,50)"),
  "/permissions": () =>
    script(`const said=[];const tell=(what)=>{said.push(what);document.querySelector("h1").textContent=said.sort().join(" ")};
      navigator.geolocation.getCurrentPosition(()=>tell("geo:given"),()=>tell("geo:denied"));
      navigator.clipboard.readText().then(()=>tell("clipboard:given"),()=>tell("clipboard:denied"));
      navigator.mediaDevices.getUserMedia({audio:true}).then(()=>tell("mic:given"),()=>tell("mic:denied"))`),
  "/tall": () => doc(`<div style="height:100000px;background:linear-gradient(red,blue)">tall</div>`),
  "/memory": () => script("const all=[];for(;;)all.push(new Uint8Array(3e7).fill(all.length))"),
  "/heap": () => script("let all=[];for(;;)all.push({a:all.length,b:'x'+all.length})"),
  "/blobs": () =>
    script(
      `const all=[];for(let n=0;n<100;n++)all.push(new Blob([new Uint8Array(2e7).fill(n+1)]));setInterval(()=>fetch("/calm?"+Math.random()),60)`,
    ),
  "/loop": () => script("for(;;);"),
  "/loop-later": () => script("setTimeout(()=>{for(;;);},4000)"),
  "/loop-inside": ({ origin }) =>
    doc(`<h1>Still here</h1><iframe src="${origin.replace("127.0.0.1", "far.test")}/loop"></iframe>`),
  "/never-idle": () => script(`setInterval(()=>fetch("/calm?"+Math.random()),60)`),
  "/never-loads": () => doc(`<h1>Still here</h1><img src="/hangs">`),
  "/shouts": () => script(`setInterval(()=>{for(let i=0;i<1000;i++)console.error("shout",i)},1)`),
  "/many-requests": () => script(`for(let i=0;i<200;i++)fetch("/calm?many="+i)`),
  "/service-worker": () =>
    script(`navigator.serviceWorker?.register("/worker.js");localStorage.zoo=(localStorage.zoo??"")+"x";
      document.cookie="seen=1";document.querySelector("h1").textContent=localStorage.zoo+document.cookie`),
  "/worker.js": ({ canary }, response) => {
    response.setHeader("content-type", "text/javascript");
    return `fetch("${canary.origin}/from-worker",{mode:"no-cors"});onfetch=(e)=>e.respondWith(new Response("taken over"))`;
  },
  "/huge-dom": () =>
    script(
      `document.body.append(...Array.from({length:+(new URLSearchParams(location.search).get("n")??30000)},(_,i)=>{const p=document.createElement("p");p.textContent="paragraph "+i+" ".padEnd(90,"y");return p}))`,
    ),
  "/long-names": (_zoo, _response, path) =>
    script(
      `document.body.append(...[document.createElement("form")]);for(let i=0;i<90;i++){const input=document.createElement("input");input.setAttribute("name",String(i%10).repeat(${Number(path.split("?")[1] ?? 3e6)}));document.forms[0].append(input)}`,
    ),
  "/clobbered": () => {
    const names =
      "tagName getAttribute childNodes parentElement localName firstChild matches nodeType checkVisibility";
    const inputs = `${names} querySelectorAll attributes shadowRoot style`
      .split(" ")
      .map((name) => `<input name="${name}">`);
    return doc(
      `<form name="body"><p>Inside</p>${inputs.join("")}<b id="gone" hidden>gone</b></form><div id="foreign"></div><div id="selection"></div><img name="querySelector" id="querySelectorAll"><p>Behind</p>`,
    );
  },
  "/regrows": () =>
    script(
      `new MutationObserver(()=>{}).observe(document,{childList:true,subtree:true});Element.prototype.querySelectorAll=()=>{throw 1};Array.prototype.map=()=>"hijacked";JSON.stringify=()=>"hijacked"`,
    ),
};

const calm: Record<string, Page> = {
  "/register": () =>
    doc(
      `<form><input name="style"><input name="children"></form>${Array.from({ length: 40_000 }, (_, i) => `<p>Entry ${i} of the register was made by hand ${i * 7}</p>`).join("\n")}<p>The end</p>`,
      "<style>body{background:#00f}</style>",
    ),
  "/calm": () =>
    doc(
      `<header><nav><a href="/a">First link</a></nav></header><main><h1>Calm page</h1><p id="price">Price: <b>10</b> euro</p><p class="ad">Buy now</p><ul><li>one<li>two</ul><form action="/send" method="post"><input name="action"><input type="password" name="pw"><button>Go</button></form></main><script src="/calm.js"></script><script>window.inline = 1</script>`,
    ),
  "/calm.js": (_zoo, response) => {
    response.setHeader("content-type", "text/javascript");
    return "console.error('said by calm.js')";
  },
  "/sight": () =>
    doc(
      `<noscript id="never"><p>none</p></noscript><template><p>none</p></template>
      <p id="attribute" hidden>none <b>none</b></p><p id="class" class="away">none</p><div id="sheet">none</div>
      <p id="visibility" style="visibility:hidden">none <b id="shown-again" style="visibility:visible">seen</b></p>
      <div id="content" style="content-visibility:hidden">none</div><p id="until-found" hidden="until-found">none</p>
      <p id="transparent" style="opacity:0">none</p><p id="clipped" class="reader">none</p><p id="far" style="position:absolute;left:-9999px">none</p>
      <div id="nothing" style="height:0;overflow:hidden"><p>none</p></div><img id="missing" src="/none.png" alt="In stock"><img id="dot" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt="Two left"><p id="tiny" style="font-size:0">none</p><p id="indented" style="text-indent:-9999px">none</p>
      <section id="part"><p id="badge" data-left="out">seen</p><details><summary>seen</summary><p id="folded">none</p></details><details open><summary>seen</summary><p>seen</p></details></section>
      <aside id="off-canvas">none</aside><ul style="font-size:0"><li style="font-size:16px">seen</li></ul><div style="display:contents"><p>seen</p></div>
      <div style="height:0"><p>seen</p></div><svg width="9" height="9"><text>seen</text></svg><iframe srcdoc="<p>seen</p>"></iframe>
      <x-host><template shadowrootmode="open"><p>seen <slot name="a"></slot></p></template><i slot="a">seen</i><i id="unslotted">none</i></x-host>`,
      `<style>.away,#sheet{display:none}.reader{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)}#off-canvas{position:fixed;top:0;left:0;width:200px;transform:translateX(-100%)}
      #badge::before{content:"New: "}#badge::after{content:"sold “" attr(data-left) "”"}summary::before{content:"→"}.away::before{content:"none"}</style>`,
    ),
  "/wall": () => doc("<h1>Verify you are human</h1>"),
  "/fonts": () =>
    doc(
      `<p style="font-family:late">Late font 日本語</p><p>Emoji 😀, serif <span style="font-family:serif">serif</span> <code>code</code></p>`,
      `<style>@font-face{font-family:late;src:url(/late.ttf);font-display:swap}</style>`,
    ),
  "/lazy": () =>
    doc(
      `${Array.from({ length: 6 }, (_, i) => `<div style="height:1500px">${i}<img loading="lazy" width="200" height="100" src="/slow.png?${i}"></div>`).join("")}
      <img id="by-script" width="200" height="100"><script>new IntersectionObserver((seen,o)=>{if(seen[0].isIntersecting){seen[0].target.src="/slow.png?observed";o.disconnect()}}).observe(document.querySelector("#by-script"))</script>`,
    ),
  "/animation": () =>
    doc(
      `<div class="spin"></div><div class="grow">grown</div><img src="/moving.gif"><input autofocus value="caret"><p id="raf">frames</p><script>const box=document.querySelector(".spin").animate([{left:0},{left:"500px"}],{duration:700,iterations:Infinity})</script>`,
      `<style>@keyframes spin{to{transform:rotate(360deg)}}@keyframes grow{from{width:10px}to{width:300px}}.spin{position:relative;width:80px;height:80px;background:teal;animation:spin 1s linear infinite}.grow{background:pink;animation:grow 900ms forwards}a{transition:all 3s}</style>`,
    ),
  // Text that appears late in each possible way: by a timer, a chain of timers, a slow response, piece by piece.
  "/late-text": () =>
    doc(
      `<p id="a">…</p><p id="b">…</p><p id="c">…</p><p id="d">…</p><p id="e">…</p><script>
      const sleep=(ms)=>new Promise((done)=>setTimeout(done,ms));
      onload=async()=>{setTimeout(()=>a.textContent="after 5 s",5000);const off=setTimeout(()=>e.textContent="called off",2500);
      setTimeout(()=>clearTimeout(off),1500);fetch("/slow.txt").then((answer)=>answer.text()).then((text)=>c.textContent=text);
      let n=0;const typing=setInterval(()=>{d.textContent+=" piece";if(++n===4)clearInterval(typing)},250);
      await sleep(2000);await sleep(2000);b.textContent="after 2 + 2 s"}</script>`,
    ),
  "/very-late": () =>
    doc(
      `<p id="said">not yet</p><script>setTimeout(()=>{said.textContent="there";said.className="there"},7000);setInterval(()=>said.title+="x",3000)</script>`,
    ),
  "/carousel": () =>
    doc(
      `<div id="slide" style="height:200px">0</div><script>let n=0;const next=()=>{slide.textContent=++n;slide.style.background="hsl("+n*40+" 80% 50%)"};setInterval(next,2500);(function again(){setTimeout(()=>{next();again()},3000)})();setTimeout(next,100)</script>`,
    ),
  "/framed": ({ origin }) => {
    const at = (host: string, path: string) => origin.replace("127.0.0.1", host) + path;
    const frame = (src: string, more = "") => `<iframe src="${src}" ${more}></iframe>`;
    return doc(
      `<h1>Before</h1>${frame(at("near.site.test", "/inner?near"))}${frame(at("far.test", "/nest"))}<iframe sandbox srcdoc="<p>Boxed</p>"></iframe>${frame(at("far.test", "/inner?tiny"), "width=1 height=1")}${frame(at("far.test", "/inner?hidden"), "style=display:none")}<p>After</p>`,
    );
  },
  "/nest": ({ origin }) =>
    doc(`<p>Far</p><iframe src="${origin.replace("127.0.0.1", "deep.test")}/inner?deep"></iframe>`),
  "/inner": (_zoo, _response, path) =>
    doc(
      `<p id="said">${path.split("?")[1]}</p><div class="spin">spin</div><script>setTimeout(()=>said.textContent+=" soon",200);setInterval(()=>said.textContent+=" late",2100)</script>`,
      "<style>@keyframes spin{to{transform:rotate(360deg)}}.spin{width:80px;animation:spin 1s linear infinite}</style>",
    ),
  "/video": () =>
    doc(`<video src="/clip.webm" autoplay muted loop width="320" height="240"></video><p>video above</p>`),
};

const files: Record<string, [type: string, body: string | Buffer]> = {
  "/security.txt": [
    "text/plain; charset=utf-8",
    "Contact: mailto:security@example.com\nExpires: 2030-01-01T00:00:00Z\n",
  ],
  "/data.json": ["application/json", '{"a": [1, 2, {"b": "<script>alert(1)</script>"}]}'],
  "/feed.xml": ["application/xml", "<?xml version='1.0'?><feed><title>é</title></feed>"],
  "/code.js": ["text/javascript", "fetch('/never')"],
  "/latin1.txt": ["text/plain; charset=iso-8859-1", Buffer.from("caf\xe9", "latin1")],
  "/feed-as-html": [
    "text/html; charset=utf-8",
    "<?xml version='1.0'?><rss version='2.0'><channel><item><title>É</title><link>/1</link></item></channel></rss>",
  ],
  "/json-as-html": ["text/html", '{"stock": "Out of stock"}'],
  "/json-as-text": ["text/plain", '{"stock": "Out of stock"}'],
  "/cyrillic.csv": ["text/csv", Buffer.from("cfd0c8c2c5d22cd6c5cdc00acfd0c8c2c5d22cd6c5cdc0", "hex")],
  "/nul.txt": ["text/plain", Buffer.from("a\0b\nc")],
  "/unknown.bin": ["application/octet-stream", Buffer.from([0, 1, 2, 3, 255])],
  "/drawing.svg": [
    "image/svg+xml",
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><script>fetch("/never")</script><image href="/never"/><rect width="60" height="40" fill="red"/></svg>`,
  ],
  "/document.pdf": ["application/pdf", pdf("Watched document")],
  "/broken.pdf": ["application/pdf", "%PDF-1.7 nothing of use"],
  "/broken.png": ["image/png", "not a picture"],
};

/** Starts the zoo, its canary and a third-party site. */
export async function startZoo(): Promise<Zoo> {
  const hits: string[] = [];
  const canaryServer = createServer((request, response) => {
    hits.push(request.url ?? "");
    response.end("secret");
  });
  canaryServer.on("connection", () => hits.push("tcp"));
  const canaryPort = await listen(canaryServer);
  const udp = createSocket("udp4", () => hits.push("udp"));
  udp.bind(canaryPort, "127.0.0.1");
  const png = await sharp({ create: { width: 200, height: 100, channels: 3, background: "orange" } })
    .png()
    .toBuffer();
  const gif = await sharp(Buffer.concat(["#f00", "#0f0", "#00f"].map(frame)), {
    raw: { width: 40, height: 120, channels: 3, pageHeight: 40 },
  })
    .gif({ delay: [60, 60, 60], loop: 0 })
    .toBuffer();
  const font = readFileSync(
    createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSerif-Bold.ttf"),
  );

  const serve = (request: IncomingMessage, response: ServerResponse) => {
    zoo.seen.push({ path: request.url ?? "", headers: request.headers });
    const url = new URL(request.url ?? "/", "http://zoo");
    const asked = zoo.seen.filter(({ path }) => path === request.url).length;
    const later = (type: string, body: Buffer, ms: number) =>
      setTimeout(() => response.setHeader("content-type", type).end(body), ms);
    if (url.pathname === "/hangs") return;
    if (url.pathname === "/endless") return void endless(response);
    if (/^\/cut-(length|chunks|reset)/.test(url.pathname)) return cutShort(url.pathname, response);
    if (/^\/(whole|cut)-/.test(url.pathname))
      return sendPacked(url.pathname, String(request.headers["accept-encoding"]), response);
    if (url.pathname === "/gzip-bomb") {
      response.setHeader("content-type", "text/html").setHeader("content-encoding", "gzip").end(bomb());
    } else if (url.pathname === "/slow.png") later("image/png", png, 150);
    else if (url.pathname === "/moving.gif") later("image/gif", gif, 0);
    else if (url.pathname === "/photo.png") later("image/png", png, 0);
    else if (url.pathname === "/slow.html") later("text/html", Buffer.from(doc("<h1>Slow page</h1>")), 2_000);
    else if (url.pathname === "/held.html") {
      if (asked > 1) response.setHeader("content-type", "text/html").end(doc("<h1>Held page</h1>"));
    } else if (url.pathname === "/held-end.html") {
      response.setHeader("content-type", "text/html").write("<!doctype html><h1>Held page</h1>");
      if (asked > 1) response.end("<p>Its end</p>");
    } else if (url.pathname === "/slow.txt") later("text/plain", Buffer.from("asked for, 4.5 s"), 4_500);
    else if (url.pathname === "/trickle") return void trickle(response);
    else if (url.pathname === "/late.ttf") later("font/ttf", font, 300);
    else if (url.pathname === "/clip.webm") later("video/webm", zoo.video, 0);
    else if (url.pathname.startsWith("/echo-")) return void echo(request, response);
    else if (url.pathname === "/empty") response.writeHead(204).end();
    else if (url.pathname === "/bare-404") response.writeHead(404).end();
    else if (url.pathname === "/moved") response.writeHead(301, { location: "/moved-again" }).end();
    else if (url.pathname === "/moved-again") response.writeHead(302, { location: "/calm" }).end();
    else if (url.pathname === "/static") {
      response.setHeader("content-type", "text/html").setHeader("etag", '"v1"');
      if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
      else response.end(doc("<h1>Static page</h1><p>No script here</p>"));
    } else if (url.pathname === "/scripted") {
      response.setHeader("content-type", "text/html").setHeader("etag", '"v1"');
      response.end(script(`document.querySelector("h1").textContent="Written by script"`));
    } else if (url.pathname === "/foreign") {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(
        doc(
          `<h1>Foreign parts</h1><img src="${zoo.other}/foreign.png"><script src="${zoo.other}/foreign.js"></script><img src="/own.png">`,
        ),
      );
    } else if (url.pathname === "/login") {
      response.setHeader("content-type", "text/html");
      response.end(doc(`<h1>Sign in</h1><form><input type="password"></form>`));
    } else if (url.pathname === "/members") {
      if (zoo.walled) response.writeHead(302, { location: "/login" }).end();
      else response.setHeader("content-type", "text/html").end(doc("<h1>Members</h1>"));
    } else {
      const page = hostile[url.pathname] ?? calm[url.pathname];
      const file = files[url.pathname];
      const given = zoo.given.get(url.pathname);
      if (given) response.setHeader("content-type", "text/html; charset=utf-8").end(given);
      else if (file) response.setHeader("content-type", file[0]).end(file[1]);
      else if (page) {
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.setHeader("set-cookie", ["plain=1; SameSite=Lax", "hidden=2; HttpOnly"]);
        response.end(page(zoo, response, request.url ?? ""));
      } else response.writeHead(404, { "content-type": "text/html" }).end(doc("<h1>No such page</h1>"));
    }
  };
  const server = createServer(serve);
  const secure = createTlsServer({ key: fixture("site.key"), cert: fixture("site.pem") }, serve);
  const other = createServer((request, response) => {
    zoo.seen.push({ path: `other:${request.url}`, headers: request.headers });
    response.end();
  });
  const http2 = createHttp2Server({ key: fixture("site.key"), cert: fixture("site.pem") }, serveHttp2);
  const sessions = new Set<ServerHttp2Session>();
  http2.on("session", (session) => sessions.add(session));
  const [port, otherPort, securePort] = [await listen(server), await listen(other), await listen(secure)];
  const http2Port = await listen(http2);
  const zoo: Zoo = {
    origin: `http://127.0.0.1:${port}`,
    other: `http://127.0.0.1:${otherPort}`,
    secure: `https://site.test:${securePort}`,
    http2: `https://site.test:${http2Port}`,
    allow: [port, otherPort, securePort, http2Port].map((each) => `127.0.0.1:${each}`).join(","),
    canary: { origin: `http://127.0.0.1:${canaryPort}`, hits },
    seen: [],
    given: new Map(),
    video: Buffer.alloc(0),
    walled: false,
    closeOther: () => close(other),
    async close() {
      udp.close();
      for (const session of sessions) session.destroy();
      http2.close();
      await Promise.all([server, secure, canaryServer, ...(other.listening ? [other] : [])].map(close));
    },
  };
  return zoo;
}

const packers: Record<string, (whole: Buffer) => Buffer> = {
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
};
const numbered = Array.from(
  { length: 60 },
  (_, i) =>
    `<p>Paragraph ${i} ${Array.from({ length: 20 }, (_, at) => i * 7919 + at * 104_729).join(" ")}</p>`,
).join("");
const sentWhole = Buffer.from(doc(`<h1>Cut</h1>${numbered}`));

/** Sends a document compressed with one of the codings, completely or half, by its length or in chunks. */
function sendPacked(path: string, accepted: string, response: ServerResponse): void {
  const [, how, coding = "", more] = /^\/(whole|cut)-([a-z]+)(-sized|-but-by-gzip)?/.exec(path) ?? [];
  if (more === "-but-by-gzip" && !accepted.includes(coding)) return void response.end(sentWhole);
  const packed = packers[coding]?.(sentWhole) ?? Buffer.alloc(0);
  const sent = how === "cut" ? packed.subarray(0, packed.length >> 1) : packed;
  response.setHeader("content-type", typeOf(path)).setHeader("content-encoding", coding);
  if (more === "-sized") response.setHeader("content-length", sent.length);
  response.write(sent.subarray(0, 100));
  response.end(sent.subarray(100));
}

/** Sends half of what was announced by length, in chunks or by the end of the connection, as a page or a text file. */
function cutShort(path: string, response: ServerResponse): void {
  const half = sentWhole.subarray(0, sentWhole.length >> 1);
  response.setHeader("content-type", typeOf(path));
  if (path.startsWith("/cut-length")) response.setHeader("content-length", sentWhole.length);
  const isReset = path.startsWith("/cut-reset");
  if (isReset) response.useChunkedEncodingByDefault = false;
  // The end of the connection must not overtake the data.
  const end = () => (isReset ? response.socket?.resetAndDestroy() : response.destroy());
  response.write(half, () => setTimeout(end, 50));
}

const typeOf = (path: string) => (path.endsWith(".txt") ? "text/plain" : "text/html");

/** Sends the same document by HTTP/2: completely, or half of it and then a reset of its stream. */
function serveHttp2(request: Http2ServerRequest, response: Http2ServerResponse): void {
  response.setHeader("content-type", "text/html");
  if (request.url !== "/cut") return void response.end(sentWhole);
  response.write(sentWhole.subarray(0, sentWhole.length >> 1), () => {
    setTimeout(() => response.stream?.close(constants.NGHTTP2_INTERNAL_ERROR), 50);
  });
}

/** A hundred megabytes, compressed only on request, because that takes a second of processor time. */
const bomb = () =>
  gzipSync(Buffer.concat([Buffer.from("<!doctype html><!--"), Buffer.alloc(100 * 1024 * 1024, "a")]), {
    level: 1,
  });

async function endless(response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "text/html");
  response.write("<!doctype html><h1>Endless</h1>");
  const chunk = `<p>${"more ".repeat(13_000)}</p>`;
  while (!response.destroyed) {
    if (!response.write(chunk)) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Sends a document slowly and without end. */
async function trickle(response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "text/html");
  response.write("<!doctype html><h1>Trickle</h1>");
  while (!response.destroyed) {
    response.write("<p>more</p>");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function frame(color: string): Buffer {
  const [red = 0, green = 0, blue = 0] = [1, 2, 3].map((at) => Number.parseInt(color[at] ?? "0", 16) * 17);
  return Buffer.alloc(40 * 40 * 3, Buffer.from([red, green, blue]));
}

/** A PDF of one page with one line of text. */
function pdf(text: string): string {
  const stream = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    "<</Title(A title)>>",
  ];
  let out = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj${object}endobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const start = out.length;
  return `${out}xref\n0 7\n0000000000 65535 f \n${rows}trailer<</Size 7/Root 1 0 R/Info 6 0 R>>\nstartxref\n${start}\n%%EOF`;
}

function fixture(name: string): string {
  return readFileSync(new URL(`../../network/testing/fixtures/${name}`, import.meta.url), "utf8");
}

async function listen(server: NetServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as { port: number }).port;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
